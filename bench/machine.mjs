import { availableParallelism, cpus, loadavg, totalmem } from 'node:os';

/** What a figure is worth nothing without. */
export function machineFacts() {
  return {
    node: process.version,
    platform: `${process.platform} ${process.arch}`,
    processor: cpus()[0]?.model ?? 'unknown',
    cores: availableParallelism(),
    memory_gib: Math.round(totalmem() / 2 ** 30),
    load_average_1_minute: Math.round((loadavg()[0] ?? 0) * 10) / 10,
  };
}

/** Least, middle and greatest of some values, to three digits after the point. */
export function spread(values) {
  const sorted = [...values].sort((a, b) => a - b);
  const round = (value) => Math.round(value * 1000) / 1000;
  return {
    runs: sorted.length,
    min: round(sorted[0]),
    median: round(sorted[Math.floor(sorted.length / 2)]),
    max: round(sorted.at(-1)),
  };
}

/** Prints one benchmark's figures as JSON. */
export function report(name, figures) {
  process.stdout.write(`${JSON.stringify({ benchmark: name, machine: machineFacts(), ...figures }, null, 2)}\n`);
}
