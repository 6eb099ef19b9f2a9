import { facts1 } from '../../memory/formation/facts-1.js';
import type { FormationPolicy } from '../../memory/formation/formation-policy.js';
import { type CallableModule, type ModuleExports, moduleFailure } from '../../module/module.js';

/** The most characters of a user message. */
const MOST_TEXT = 1_048_576;

/**
 * A policy module as a formation policy (RT-6): its instructions and, where it exports them, which beliefs are shown, what the user message says,
 * and how many people stay. For what it leaves out `facts@1` stands in. It sees one batch and the present state as data, and reads nothing else.
 *
 * @param name as banks are bound to it.
 */
export function modulePolicy(name: string, module: CallableModule, exports: ModuleExports): FormationPolicy {
  const unsound = (what: string, how: string) => moduleFailure('UNSOUND', module.module, what, how);
  const batchOf = (turns: readonly { readonly id: string }[]): string =>
    `the batch that begins with turn ${turns[0]?.id}`;
  return {
    name,
    instructions: exports.instructions?.value as string,
    people_limit: (exports.people_limit?.value as number | undefined) ?? facts1.people_limit,
    chooseBeliefs: async (beliefs, turns) => {
      if (exports.chooseBeliefs === undefined) return facts1.chooseBeliefs(beliefs, turns);
      const what = batchOf(turns);
      const given = await module.call('chooseBeliefs', [beliefs, turns], what);
      if (!Array.isArray(given) || !given.every((id) => typeof id === 'string'))
        throw unsound(what, 'chooseBeliefs gave no list of ids');
      const chosen = new Set<string>(given);
      const known = new Set(beliefs.map(({ id }) => id));
      const strange = given.find((id: string) => !known.has(id));
      if (strange !== undefined)
        throw unsound(what, `chooseBeliefs gave ${JSON.stringify(strange)}, which it was not handed`);
      if (chosen.size !== given.length) throw unsound(what, 'chooseBeliefs gave an id twice');
      return beliefs.filter(({ id }) => chosen.has(id));
    },
    requestText: async (shown) => {
      if (exports.requestText === undefined) return facts1.requestText(shown);
      const what = batchOf(shown.turns);
      const text = await module.call('requestText', [shown], what);
      if (typeof text !== 'string' || text.trim() === '' || text.length > MOST_TEXT)
        throw unsound(what, `requestText gave no text of 1 to ${MOST_TEXT} characters`);
      if (/\p{Surrogate}|\0/u.test(text)) throw unsound(what, 'requestText gave U+0000 or half a surrogate pair');
      return text;
    },
  };
}
