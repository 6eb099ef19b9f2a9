import type { MeanDifference } from '../../statistics/statistics.js';
import { type ChartRoom, legendAbove } from './chart.js';

/** The fields by which `intervalLayers` draws an estimate; without an interval it has none of its ends. */
export function intervalFields(fresh: MeanDifference, these: MeanDifference, least = -Infinity, most = Infinity) {
  return {
    ...(fresh.kind === 'estimated' ? { lo: Math.max(least, fresh.lo), hi: Math.min(most, fresh.hi) } : {}),
    ...(these.kind === 'estimated' ? { these_lo: Math.max(least, these.lo), these_hi: Math.min(most, these.hi) } : {}),
  };
}

/** Only values that have the field. */
export function has(field: string) {
  return { filter: { field, valid: true } } as const;
}

/**
 * A point for each estimate, with its two intervals (RP-3). Thin: new conversations; thick: these. A filled circle is of the first kind, a hollow diamond of
 * the second.
 */
export function intervalLayers<X, Y>(
  room: ChartRoom,
  x: (field: string) => X,
  y: Y,
  /** Fields of the values, the two kinds, and the size of a point. */
  point: {
    readonly estimate: string;
    readonly kind: string;
    readonly kinds: readonly [string, string];
    readonly size: number;
  },
) {
  const kind = { field: point.kind, type: 'nominal', legend: legendAbove(room) } as const;
  const domain = [...point.kinds];
  return [
    {
      transform: [has('lo')],
      mark: { type: 'rule', color: 'var(--ink)', strokeWidth: 1.5 } as const,
      encoding: { x: x('lo'), x2: { field: 'hi' }, y },
    },
    {
      transform: [has('these_lo')],
      mark: { type: 'rule', color: 'var(--accent)', strokeWidth: 6, opacity: 0.45 } as const,
      encoding: { x: x('these_lo'), x2: { field: 'these_hi' }, y },
    },
    {
      mark: {
        type: 'point',
        filled: true,
        size: point.size,
        opacity: 1,
        stroke: 'var(--ink)',
        strokeWidth: 1.5,
      } as const,
      encoding: {
        x: x(point.estimate),
        y,
        shape: { ...kind, scale: { domain, range: ['circle', 'diamond'] } },
        fill: { ...kind, scale: { domain, range: ['var(--ink)', 'var(--paper)'] } },
      },
    },
  ];
}
