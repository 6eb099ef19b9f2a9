/** Means and intervals once more, as a textbook has them: nothing of what they are to check is in here. */
export const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);
export const mean = (values: readonly number[]): number => sum(values) / values.length;

/** One number a question, in conversations. */
export type ByConversation = readonly (readonly number[])[];

/** Student's interval over questions. */
export function overQuestions(conversations: ByConversation): {
  readonly lo: number;
  readonly hi: number;
  readonly p: number;
} {
  const values = conversations.flat();
  const variance = sum(values.map((value) => (value - mean(values)) ** 2)) / (values.length - 1);
  return interval(mean(values), Math.sqrt(variance / values.length), values.length - 1);
}

/** The jackknife's, each conversation left out in turn. */
export function overConversations(conversations: ByConversation): ReturnType<typeof overQuestions> {
  const whole = mean(conversations.flat());
  const without = conversations.map((_, left) => mean(conversations.filter((__, place) => place !== left).flat()));
  const g = conversations.length;
  return interval(whole, Math.sqrt(((g - 1) / g) * sum(without.map((value) => (value - whole) ** 2))), g - 1);
}

/** At 95 %. */
function interval(estimate: number, error: number, df: number): { lo: number; hi: number; p: number } {
  let [low, high] = [0, 1000];
  while (high - low > 1e-9) {
    const middle = (low + high) / 2;
    if (tails(middle, df) > 0.05) low = middle;
    else high = middle;
  }
  return { lo: estimate - low * error, hi: estimate + low * error, p: tails(Math.abs(estimate / error), df) };
}

/** Both tails of Student's t beyond `t`: with t = √df tan θ its density is cos^(df-1) θ, summed by Simpson's rule. */
function tails(t: number, df: number): number {
  const part = (to: number): number => {
    const steps = 2000;
    const width = to / steps;
    const at = (step: number): number => Math.cos(step * width) ** (df - 1);
    const inner = Array.from({ length: steps - 1 }, (_, index) => (index % 2 === 0 ? 4 : 2) * at(index + 1));
    return (width / 3) * (at(0) + sum(inner) + at(steps));
  };
  return 1 - part(Math.atan(t / Math.sqrt(df))) / part(Math.PI / 2);
}
