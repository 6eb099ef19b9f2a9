"""Results of independent libraries that src/report/statistics is held against. Prints reference.json, which is kept beside it:

    python3 test/support/statistics/reference.py > test/support/statistics/reference.json

Needs numpy, scipy and statsmodels. No test runs it.
"""

import json
import sys

import numpy
import scipy
import statsmodels
import statsmodels.api as sm
from scipy import stats
from statsmodels.stats.contingency_tables import mcnemar
from statsmodels.stats.multitest import multipletests

ALPHA, POWER = 0.05, 0.8


def differences():
    """Seven conversations of unlike lengths, differences in hundredths, from a fixed congruential generator."""
    state, found = 12345, []

    def draw(below):
        nonlocal state
        state = (1103515245 * state + 12345) % 2**31
        return (state >> 8) % below

    for conversation, questions in enumerate([3, 9, 4, 7, 5, 12, 6]):
        shift = draw(41) - 15
        for _ in range(questions):
            found.append({"conversation": f"c{conversation}", "difference": (shift + draw(61) - 30) / 100})
    return found


def cluster_robust(rows):
    d = numpy.array([row["difference"] for row in rows])
    groups = numpy.array([int(row["conversation"][1:]) for row in rows])
    fit = sm.OLS(d, numpy.ones(len(d))).fit(
        cov_type="cluster", cov_kwds={"groups": groups}, use_t=True
    )
    lo, hi = fit.conf_int(ALPHA)[0]
    return dict(estimate=fit.params[0], standard_error=fit.bse[0], t=fit.tvalues[0], p=fit.pvalues[0], lo=lo, hi=hi)


def question_level(rows):
    d = numpy.array([row["difference"] for row in rows])
    fit = sm.OLS(d, numpy.ones(len(d))).fit()
    lo, hi = fit.conf_int(ALPHA)[0]
    p = stats.ttest_1samp(d, 0).pvalue
    return dict(estimate=d.mean(), standard_error=stats.sem(d), t=fit.tvalues[0], p=p, lo=lo, hi=hi)


def sums(rows):
    names = sorted({row["conversation"] for row in rows})
    return [[row["difference"] for row in rows if row["conversation"] == name] for name in names]


def sign_flip(values):
    found = stats.permutation_test(
        (numpy.array(values),), numpy.sum, permutation_type="samples", n_resamples=numpy.inf, alternative="two-sided"
    )
    return found.pvalue


def bootstrap(rows):
    groups = sums(rows)
    s, n = numpy.array([sum(g) for g in groups]), numpy.array([len(g) for g in groups])
    found = stats.bootstrap(
        (s, n),
        lambda a, b, axis=-1: a.sum(axis=axis) / b.sum(axis=axis),
        paired=True,
        vectorized=True,
        n_resamples=200_000,
        batch=10_000,
        method="percentile",
        confidence_level=1 - ALPHA,
        random_state=numpy.random.default_rng(1),
    ).confidence_interval
    return dict(lo=found.low, hi=found.high)


def power_of_smallest(df):
    """By the noncentral t, the true power at (t_{1-alpha/2} + t_{power}) standard errors."""
    critical = stats.t.ppf(1 - ALPHA / 2, df)
    multiple = critical + stats.t.ppf(POWER, df)
    return dict(df=df, multiple=multiple, power=stats.nct.sf(critical, df, multiple) + stats.nct.cdf(-critical, df, multiple))


rows = differences()
holm_p = [0.012, 0.049, 0.0005, 0.3, 0.02, 0.9]
result = {
    "origin": {
        "script": "test/support/statistics/reference.py",
        "python": sys.version.split()[0],
        "numpy": numpy.__version__,
        "scipy": scipy.__version__,
        "statsmodels": statsmodels.__version__,
    },
    "two_sided_tail": [
        [t, df, 2 * stats.t.sf(t, df)]
        for df in (1, 2, 3, 4, 9, 10, 29, 30, 99, 1000, 5001)
        for t in (0.01, 0.5, 1.0, 2.1, 4.0, 12.5)
    ],
    "critical": [[alpha, df, stats.t.ppf(1 - alpha / 2, df)] for df in (1, 2, 3, 4, 9, 29, 38, 1985) for alpha in (0.5, 0.1, 0.05, 0.001)],
    "differences": rows,
    "new_conversations": cluster_robust(rows),
    "these_conversations": question_level(rows),
    "cluster_sign_flip": sign_flip([sum(group) for group in sums(rows)]),
    "question_permutation_of_first_16": sign_flip([row["difference"] for row in rows[:16]]),
    "bootstrap_200000": bootstrap(rows),
    "holm": {"p": holm_p, "adjusted": list(multipletests(holm_p, method="holm")[1])},
    "mcnemar": [
        [b, c, mcnemar([[10, b], [c, 10]], exact=True).pvalue] for b, c in ((9, 2), (150, 86), (5, 5), (0, 7), (700, 800))
    ],
    "smallest_detectable": [power_of_smallest(df) for df in (4, 9, 29)],
}
json.dump(result, sys.stdout, indent=2, default=float)
print()
