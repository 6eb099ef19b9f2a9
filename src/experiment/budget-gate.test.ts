import { describe, expect, it } from 'vitest';
import { budgetRefused, invalidInput } from '../core/errors.js';
import { AdmissionRefused } from '../memory/query-preparation/admission-refused.js';
import { BudgetGate } from './budget-gate.js';

const refusal = (name = 'call'): Error =>
  budgetRefused('BUDGET_EXHAUSTED', `${name} does not fit`, { remedy: 'raise it' });

/** A task that waits until it is told how to end. */
function held<T>(): { task: () => Promise<T>; started: Promise<void>; end: (work: () => T) => void } {
  let begin = (): void => {};
  const started = new Promise<void>((resolve) => {
    begin = resolve;
  });
  let end: (work: () => T) => void = () => {};
  const result = new Promise<T>((resolve, reject) => {
    end = (work) => {
      try {
        resolve(work());
      } catch (error) {
        reject(error);
      }
    };
  });
  return {
    started,
    end,
    task: () => {
      begin();
      return result;
    },
  };
}

/** Lets everything run that can run without an event from outside. */
const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe('MX-9 the budget gate', () => {
  it('MX-9 tries a refused task again, alone, once those in flight have ended', async () => {
    const gate = new BudgetGate();
    const other = held<string>();
    const first = gate.pass(other.task);
    await other.started;
    let tries = 0;
    const refused = gate.pass(async () => {
      tries += 1;
      if (tries === 1) throw refusal();
      return 'fits now';
    });
    await settle();
    expect(tries).toBe(1);
    other.end(() => 'done');
    expect(await refused).toBe('fits now');
    expect(await first).toBe('done');
    expect(gate.closedBy).toBeNull();
  });

  it('MX-9 starts nothing new while a refused task waits for its second try', async () => {
    const gate = new BudgetGate();
    const inFlight = held<string>();
    const first = gate.pass(inFlight.task);
    await inFlight.started;
    let tries = 0;
    const refused = gate.pass(async () => {
      tries += 1;
      if (tries === 1) throw refusal();
      return 'second try';
    });
    await settle();
    const order: string[] = [];
    const late = gate.pass(async () => order.push('late'));
    await settle();
    expect(order).toEqual([]);
    inFlight.end(() => 'done');
    await Promise.all([first, refused, late]);
    expect(order).toEqual(['late']);
  });

  it('MX-9 closes for everyone once the second try is refused: no smaller call slips in behind it', async () => {
    const gate = new BudgetGate();
    const started: string[] = [];
    const refused = gate.pass(async () => {
      started.push('large');
      throw refusal('large');
    });
    const behind = gate.pass(async () => started.push('small'));
    await expect(refused).rejects.toThrow('large does not fit');
    expect(started.filter((name) => name === 'large')).toHaveLength(2);
    await behind;
    const before = started.length;
    expect(await gate.pass(async () => started.push('smaller'))).toBeNull();
    expect(started).toHaveLength(before);
    expect(gate.closedBy).toMatchObject({ code: 'BUDGET_EXHAUSTED' });
  });

  it('MX-9 of two that are refused at once the first to fail alone closes it, and the other is not tried again', async () => {
    const gate = new BudgetGate();
    let tries = 0;
    const task = async (): Promise<never> => {
      tries += 1;
      throw refusal();
    };
    const [one, two] = await Promise.allSettled([gate.pass(task), gate.pass(task)]);
    expect(one.status).toBe('rejected');
    expect(two).toEqual({ status: 'fulfilled', value: null });
    expect(tries).toBe(3);
  });

  it('MX-9 any other failure passes through, and leaves it open', async () => {
    const gate = new BudgetGate();
    await expect(gate.pass(() => Promise.reject(invalidInput('X', 'else', { remedy: 'r' })))).rejects.toThrow('else');
    expect(gate.closedBy).toBeNull();
    expect(await gate.pass(async () => 'next')).toBe('next');
  });

  it('MX-9 a second try that fails otherwise leaves it open for the next', async () => {
    const gate = new BudgetGate();
    let tries = 0;
    const failing = gate.pass(async () => {
      tries += 1;
      throw tries === 1 ? refusal() : invalidInput('X', 'the provider failed', { remedy: 'r' });
    });
    await expect(failing).rejects.toThrow('the provider failed');
    expect(await gate.pass(async () => 'next')).toBe('next');
  });

  it('SQ-9 MX-9 stays open where an owner’s embedding allowance refuses, which is no budget of the run’s', async () => {
    const gate = new BudgetGate();
    let tries = 0;
    const refused = gate.pass(async () => {
      tries += 1;
      throw new AdmissionRefused('day', 'no room', 'wait');
    });
    await expect(refused).rejects.toMatchObject({ code: 'EMBEDDING_NOT_ADMITTED' });
    expect({ tries, closedBy: gate.closedBy }).toEqual({ tries: 1, closedBy: null });
    expect(await gate.pass(async () => 'goes on')).toBe('goes on');
  });
});
