import { counted } from '../../core/counted.js';
import { shortDigest } from '../../core/digest.js';
import { terminalLine, terminalText } from '../../core/terminal-text.js';
import type { BankExpected, Compared, Reproduction } from '../../experiment/reproduction-document.js';
import { factLines } from './fact-lines.js';

const TEXT_LENGTH = 160;

/** A reproduction as people read it, field by field (RP-1). */
export function showReproduction(reproduction: Reproduction): string {
  const { against, bindings, state, server, ledger } = reproduction;
  const facts: readonly (readonly [string, string])[] = [
    ['bank', `${reproduction.bank} of ${reproduction.fixture}`],
    ['arm', `${reproduction.arm}, ${counted(reproduction.questions, 'question')}`],
    ['against', againstText(against)],
    ['bindings', `equal: ${bindings.join(', ')}`],
    ['state', stateText(state)],
    ['retrieval', comparedText(reproduction.retrieval)],
    ['context', comparedText(reproduction.context)],
    ['answers', answersText(reproduction)],
    ['server', server.expected === null ? server.found : `${server.found} (then: ${server.expected})`],
    ['sent', `nothing: ${counted(ledger.sends, 'send')}`],
    ['written to', reproduction.path],
  ];
  return [
    factLines(11, facts),
    ...reproduction.not_compared.map((what) => terminalText(`not compared: ${what}`)),
    ...differenceLines(reproduction),
  ].join('\n');
}

/** What `bank expect` did, in words. */
export function showExpected({ path, arms, left_out, questions, problems }: BankExpected): string {
  if (problems.length > 0) return 'nothing was written';
  const left = left_out.length === 0 ? '' : `; without ${left_out.join(', ')}, whose remote reader searches itself`;
  return terminalText(`${path}: ${counted(arms, 'arm')}, ${counted(questions, 'question')} each${left}`);
}

function againstText(against: Reproduction['against']): string {
  if (against.kind === 'nothing') return 'nothing';
  return against.kind === 'run'
    ? `the run ${against.run} in ${against.path}`
    : `what lies beside the bank: ${against.path}`;
}

function stateText({ status, digest }: Reproduction['state']): string {
  if (status === 'not-reached') return 'not reached';
  return `${status === 'equal' ? 'equal to' : 'CHANGED from'} what the bank seals (${shortDigest(digest)})`;
}

function comparedText({ compared, equal }: Compared): string {
  if (compared === 0) return 'not compared';
  return equal === compared
    ? `equal for ${equal} of ${compared}`
    : `equal for ${equal} of ${compared}, DIFFERENT for ${compared - equal}`;
}

function answersText({ answers }: Reproduction): string {
  const text = comparedText(answers);
  if (answers.compared === 0 || answers.source !== 'replayed') return text;
  return `${text}: replayed, since the exact requests are equal; nobody was asked again`;
}

function differenceLines({ differences, differences_in_all: all }: Reproduction): string[] {
  const lines = differences.flatMap(({ question, repeat, field, expected, found }) => [
    terminalLine(`${field} of ${question}${repeat === 1 ? '' : `, repeat ${repeat}`}`),
    `  expected ${terminalLine(expected, TEXT_LENGTH)}`,
    `  found    ${terminalLine(found, TEXT_LENGTH)}`,
  ]);
  return all > differences.length ? [...lines, `and ${all - differences.length} more`] : lines;
}
