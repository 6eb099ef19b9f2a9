import type { Builder } from 'junit-report-builder';
import { terminalText } from '../../core/terminal-text.js';
import type { Comparison, ContrastResult, GateResult, Verdict } from '../comparison/comparison.js';
import { contrastName } from '../comparison/verdicts/contrast-text.js';

/**
 * A comparison as JUnit XML (RP-4): a suite a dataset, a test case a gate and a contrast. A regression is a failure, a gate that can never fail an
 * error, an invalid night is skipped: it is neither. A contrast never fails: what it says stands in its output.
 */
export async function comparisonJunit({ base, head, datasets, gates }: Comparison): Promise<string> {
  // Its types say what `import` of its other build gives; Node's is the builder itself.
  const { default: junit } = (await import('junit-report-builder')) as unknown as { readonly default: Builder };
  const report = junit.newBuilder().name(`compare ${xmlText(base.run)} ${xmlText(head.run)}`);
  for (const { dataset, contrasts } of datasets) {
    const suite = report.testSuite().name(xmlText(dataset));
    for (const gate of gates.filter((one) => one.dataset === dataset)) {
      const test = suite
        .testCase()
        .className('gate')
        .name(xmlText(gateName(gate)))
        .standardOutput(xmlText(gate.sentence));
      if (gate.outcome === 'regression') test.failure(xmlText(gate.sentence), 'regression');
      if (gate.outcome === 'untestable') test.error(xmlText(gate.sentence), 'untestable');
      if (gate.outcome === 'invalid') test.skipped();
    }
    for (const contrast of contrasts) {
      suite
        .testCase()
        .className('contrast')
        .name(xmlText(contrastTitle(contrast)))
        .standardOutput(verdictText(contrast.verdict));
    }
  }
  return `${report.build().trimEnd()}\n`;
}

function gateName(gate: GateResult): string {
  return `${contrastName(gate)}: ${gate.condition}`;
}

function contrastTitle(contrast: ContrastResult): string {
  return `${contrastName(contrast)}: ${contrast.scorer}${contrast.planned ? '' : ' (exploratory)'}`;
}

/** A line a sentence, what it rests on after it. */
function verdictText({ sentence, basis }: Verdict): string {
  return [sentence, ...basis].map(xmlText).join('\n');
}

/** What XML cannot hold, or could be read otherwise, shows as an escape; markup is escaped by the builder. */
function xmlText(text: string): string {
  return terminalText(text.toWellFormed()).replace(/[\ufffe\uffff]/g, '\ufffd');
}
