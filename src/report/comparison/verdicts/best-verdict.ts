import { counted } from '../../../core/counted.js';
import type { CountedScore } from '../../figures/figures.js';
import { listed } from '../../listed.js';
import { showConfidence, showDifference, showDifferenceInterval, showScore } from '../../number-text.js';
import { type BestOfArms, bestOfArms, type Rival } from './best-of-arms.js';

/** Which arm is best, and how sure that is, in one dataset. */
export interface BestVerdict {
  /** The highest mean; null where no arm may be ranked, or no verdict is given. */
  readonly best: string | null;
  /**
   * `told-apart`: from every other arm, for new conversations. `partly`: from some. `could-not-be-told`: no difference, however large, could
   * have been. `withheld`: the two means of OB-4 disagree. `alone`: nothing to be better than. `none`: no arm may be ranked.
   */
  readonly how_sure: 'told-apart' | 'partly' | 'not-told-apart' | 'could-not-be-told' | 'withheld' | 'alone' | 'none';
  readonly sentence: string;
  /** How far ahead it is of the second; null where there is none, or no verdict. */
  readonly lead: string | null;
  /** What could not be told apart from the best; null where all was, or there is no verdict. */
  readonly open: string | null;
  /** What telling apart rests on; null where nothing could be. */
  readonly basis: string | null;
  readonly behind: readonly string[];
  /** Those that may be as good as the best for all that was shown. */
  readonly rivals: readonly string[];
}

/** An arm that may be ranked, with its counted scores. */
export interface RankedArm {
  readonly arm: string;
  readonly scores: readonly CountedScore[];
}

/**
 * The verdict on the best of many arms. Where counting failures as zero and leaving them out disagree on which is best, or on what is told apart
 * from it, none is given (OB-4).
 */
export function bestVerdict(arms: readonly RankedArm[], scorer: string, alpha: number): BestVerdict {
  const found = bestOfArms(arms, alpha);
  if (found === null)
    return { ...NO_VERDICT, how_sure: 'none', sentence: `No arm that may be ranked has a score by ${scorer}.` };
  const without = bestOfArms(arms.map(withoutFailures), alpha);
  const what = `${scorer} ${showScore(found.mean)} over ${counted(found.questions, 'question')} of ${counted(found.conversations, 'conversation')}`;
  if (without !== null && disagree(found, without)) {
    return {
      ...NO_VERDICT,
      how_sure: 'withheld',
      sentence: `No verdict: with failures as 0 ${found.best} scored highest (${what}), and leaving failures out changes ${without.best === found.best ? 'what is told apart from it' : `that to ${without.best}`}.`,
    };
  }
  if (found.rivals.length === 0)
    return {
      ...NO_VERDICT,
      best: found.best,
      how_sure: 'alone',
      sentence: `${found.best} is the only arm that is ranked: ${what}. There is nothing that it is better than.`,
    };
  return { best: found.best, ...judged(found, what, alpha) };
}

const NO_VERDICT = { best: null, lead: null, open: null, basis: null, behind: [], rivals: [] };

function withoutFailures({ arm, scores }: RankedArm): RankedArm {
  return { arm, scores: scores.map((score) => (score.is_failure ? { ...score, score: null } : score)) };
}

function disagree(one: BestOfArms, other: BestOfArms): boolean {
  const behind = ({ rivals }: BestOfArms): string => namesOf(rivals, 'behind').sort().join('\n');
  return one.best !== other.best || behind(one) !== behind(other);
}

function namesOf(rivals: readonly Rival[], standing: Rival['standing']): string[] {
  return rivals.filter((rival) => rival.standing === standing).map(({ arm }) => arm);
}

function judged(found: BestOfArms, what: string, alpha: number): Omit<BestVerdict, 'best'> {
  const { best, rivals, tied } = found;
  const behind = namesOf(rivals, 'behind');
  const open = rivals.filter(({ standing }) => standing !== 'behind').map(({ arm }) => arm);
  const untestable = namesOf(rivals, 'could-not-be-told');
  const highest =
    tied.length === 0
      ? `${best} scored highest: ${what}.`
      : `${listed([best, ...tied])} scored the same, and highest: ${what}.`;
  const others = counted(rivals.length, 'other arm');
  const rest = {
    behind,
    rivals: open,
    lead: leadOf(found),
    basis: basisOf(found, behind.length, alpha),
    open: open.length === 0 ? null : `For all that this load shows, ${named(open)} may be as good as ${best}.`,
  };
  if (untestable.length === rivals.length) {
    const why = whyUntestable(found);
    const sentence = `${highest} Whether it is better than any other could not be told, however large the difference: ${why}.`;
    return { ...rest, how_sure: 'could-not-be-told', basis: null, sentence };
  }
  if (open.length === 0)
    return {
      ...rest,
      how_sure: 'told-apart',
      sentence: `${highest} It is told apart from ${rivals.length === 1 ? 'the other arm' : `all of ${others}`}.`,
    };
  return behind.length === 0
    ? {
        ...rest,
        how_sure: 'not-told-apart',
        sentence:
          tied.length === rivals.length
            ? `${highest} Nothing tells them apart.`
            : `${highest} It is not told apart from ${rivals.length === 1 ? 'the other arm' : `any of ${others}`}: the order may be chance.`,
      }
    : {
        ...rest,
        how_sure: 'partly',
        sentence: `${highest} Of ${others} it is told apart from ${behind.length}, ${named(behind)}; which of the rest is best is not shown.`,
      };
}

/** What telling apart rests on. */
function basisOf({ arms, conversations }: BestOfArms, behind: number, alpha: number): string {
  const pairs = (arms * (arms - 1)) / 2;
  const smallest = 2 / 2 ** conversations;
  return [
    `Told apart: for new conversations at ${showConfidence(alpha)}${pairs > 1 ? `, by Holm over all ${pairs} pairs of ranked arms` : ''}. The best was picked by the same scores, so that any pair could have come to be looked at, and its lead is likely overstated.`,
    // The sign-flip test of so few could find nothing, whatever the difference: only t speaks.
    ...(behind > 0 && smallest > alpha
      ? [
          `It rests on ${counted(conversations, 'conversation')} and on t alone, which takes their means for normal: the smallest p that a sign-flip test of so few can give is ${Number(smallest.toFixed(3))}.`,
        ]
      : []),
  ].join(' ');
}

function whyUntestable({ conversations, rivals }: BestOfArms): string {
  if (conversations < 2) return 'one conversation says nothing of others';
  const kinds = new Set(rivals.map(({ difference }) => difference.kind));
  if (kinds.size === 1 && kinds.has('all_equal')) return 'every question differs by the same';
  return 'nothing varies that an error could be told from';
}

function leadOf({ best, rivals }: BestOfArms): string | null {
  const [second] = rivals;
  if (second === undefined || second.difference.kind === 'no_pairs') return null;
  const { difference, arm, pairs } = second;
  const interval =
    difference.kind === 'estimated' ? `, ${showDifferenceInterval(difference)} for new conversations` : '';
  return `${best} − ${arm}: ${showDifference(difference.estimate)}${interval} (${counted(pairs, 'question')}).`;
}

/** Names with their noun: an arm may be called `none`. */
function named(arms: readonly string[]): string {
  return `the ${arms.length === 1 ? 'arm' : 'arms'} ${listed(arms)}`;
}
