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
from scipy import optimize, stats
from statsmodels.stats.contingency_tables import mcnemar
from statsmodels.stats.multitest import multipletests

ALPHA, POWER = 0.05, 0.8


def critical(alpha, df):
    """From the tails: scipy 1.10's own ppf is off by up to one part in 10^9."""
    return optimize.brentq(lambda t: 2 * stats.t.sf(t, df) - alpha, 0, 1e7, xtol=1e-15, rtol=1e-14, maxiter=1000)


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


def cluster_jackknife(rows):
    """The regression on a constant fitted anew without each conversation."""
    d = numpy.array([row["difference"] for row in rows])
    groups = numpy.array([row["conversation"] for row in rows])
    estimate = sm.OLS(d, numpy.ones(len(d))).fit().params[0]
    names = numpy.unique(groups)
    without = [sm.OLS(kept, numpy.ones(len(kept))).fit().params[0] for kept in (d[groups != name] for name in names)]
    g = len(names)
    error = numpy.sqrt((g - 1) / g * numpy.sum((numpy.array(without) - estimate) ** 2))
    half = critical(ALPHA, g - 1) * error
    p = 2 * stats.t.sf(abs(estimate / error), g - 1)
    return dict(estimate=estimate, standard_error=error, t=estimate / error, p=p, lo=estimate - half, hi=estimate + half)


def first_of_each(rows, count):
    """Conversations of one length."""
    taken = {}
    for row in rows:
        taken.setdefault(row["conversation"], []).append(row)
    return [row for group in taken.values() for row in group[:count]]


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
    edge = critical(ALPHA, df)
    multiple = edge + critical(2 * (1 - POWER), df)
    return dict(df=df, multiple=multiple, power=stats.nct.sf(edge, df, multiple) + stats.nct.cdf(-edge, df, multiple))


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
    "critical": [[alpha, df, critical(alpha, df)] for df in (1, 2, 3, 4, 9, 29, 38, 1985) for alpha in (0.5, 0.1, 0.05, 0.001)],
    "differences": rows,
    "new_conversations": cluster_jackknife(rows),
    "new_conversations_first_3_of_each": cluster_robust(first_of_each(rows, 3)),
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
