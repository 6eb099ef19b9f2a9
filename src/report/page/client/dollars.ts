/** Nano-dollars as dollars, without a rounding: `$0.000001234`. */
export function dollars(nanoUsd: number): string {
  const digits = String(nanoUsd).padStart(10, '0');
  const fraction = digits.slice(-9).replace(/0+$/, '').padEnd(2, '0');
  return `$${digits.slice(0, -9)}.${fraction}`;
}
