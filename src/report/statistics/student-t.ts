/** Where less than this lies outside, the tails are summed themselves: one minus the middle would be rounding. */
const TAILS_SUMMED_BELOW = 0.01;

/**
 * The two-sided tail of Student's t: P(|T| ≥ |t|).
 *
 * For whole degrees of freedom the distribution is a finite sum (Abramowitz and Stegun, 1964, 26.7.3 and 26.7.4): with θ = atan(t/√ν),
 * P(|T| < t) = sin θ · (1 + ½ cos²θ + (1·3)/(2·4) cos⁴θ + …), ν/2 terms, for an even ν, and
 * (2/π)(θ + sin θ · (cos θ + (2/3) cos³θ + …)), (ν-1)/2 terms, for an odd one. Continued without end the same sums reach 1,
 * so what the finite ones leave out are the tails, all terms positive.
 *
 * @param degreesOfFreedom whole, from 1.
 */
export function twoSidedTail(t: number, degreesOfFreedom: number): number {
  const odd = degreesOfFreedom % 2 === 1;
  const theta = Math.atan(Math.abs(t) / Math.sqrt(degreesOfFreedom));
  const [sine, squaredCosine] = [Math.sin(theta), degreesOfFreedom / (degreesOfFreedom + t * t)];
  const finite = Math.floor(degreesOfFreedom / 2);
  const ratio = (k: number): number => (odd ? (2 * k + 2) / (2 * k + 3) : (2 * k + 1) / (2 * k + 2)) * squaredCosine;
  const scale = (odd ? 2 / Math.PI : 1) * sine;

  let term = odd ? Math.sqrt(squaredCosine) : 1;
  let sum = 0;
  for (let k = 0; k < finite; k += 1) {
    sum += term;
    term *= ratio(k);
  }
  const outside = 1 - ((odd ? (2 / Math.PI) * theta : 0) + scale * sum);
  if (outside >= TAILS_SUMMED_BELOW) return Math.min(1, outside);

  let tails = 0;
  for (let k = finite; term > tails * Number.EPSILON; k += 1) {
    tails += term;
    term *= ratio(k);
  }
  return scale * tails;
}

/**
 * The critical value of an interval of confidence 1 - alpha: t with P(|T| ≥ t) = alpha. Found by halving, to the last bit that moves.
 *
 * @param alpha above 0, at most 1.
 */
export function criticalT(alpha: number, degreesOfFreedom: number): number {
  let [low, high] = [0, 1];
  while (twoSidedTail(high, degreesOfFreedom) > alpha) [low, high] = [high, high * 2];
  for (;;) {
    const middle = (low + high) / 2;
    if (middle <= low || middle >= high) return high;
    if (twoSidedTail(middle, degreesOfFreedom) > alpha) low = middle;
    else high = middle;
  }
}
