/** What people say to keep a talk going; it carries no fact. */
const LEAD =
  /^(?:(?:oh|ah|aha|ha|aye|yes|yeah|yep|no|nope|well|right|okay|ok|anyway|anyhow|so|sorry|hey|hi|hello|hiya|morning|evening|night|hooray|hurrah|yay|wow|huh|hmm|ouch|thanks|thank you|cheers|honestly|actually|basically|also|look|listen|see|just|then|now then|of course|you know|i mean|to be fair|good news|big news|other news|in other news|turns out|by the way|oh well|oh no|oh yes|not bad|fair enough|good|great|perfect|brilliant|lovely|exactly|true|and|but)(?:[,!.:–—-]+| -)? +)+(?=\S)/i;
const STRIPPED_WITH_PUNCTUATION =
  /^(?:(?:so|now|just|then|also|look|see|and|but|turns out|good|great|no|right|well)[ ]+)/i;
const TAIL =
  /,? (?:by the way|incidentally|though|as well|too|mind|thank you very much|thank goodness|of course|you know|i think|please|would you believe|honestly|anyway|then|if you ask me)(?=[.!…]*$)/i;

/** A sentence without its discourse markers, without its leading or closing vocative, and with a capital. `names` are the participants. */
export function stripNoise(sentence: string, names: readonly string[]): { text: string; vocative: string | null } {
  let text = sentence;
  let vocative: string | null = null;
  for (let round = 0; round < 3; round += 1) {
    const lead = LEAD.exec(text);
    // A bare adverb without punctuation is part of the sentence unless it is a connective.
    if (
      lead !== null &&
      (/[,!.:–—-] +$/.test(lead[0]) || STRIPPED_WITH_PUNCTUATION.test(lead[0])) &&
      !/^(?:no|right|good|great|well|see|look|now|just|then) +\S/i.test(
        lead[0] + text.slice(lead[0].length, lead[0].length + 1),
      )
    )
      text = text.slice(lead[0].length);
    text = text.replace(TAIL, '');
    for (const name of names) {
      const start = new RegExp(`^${escapePattern(name)}[,!] +`, 'i').exec(text);
      if (start !== null) {
        text = text.slice(start[0].length);
        vocative = name;
      }
      const end = new RegExp(`, ${escapePattern(name)}(?=[.!…]*$)`, 'i').exec(text);
      if (end !== null) {
        text = text.slice(0, end.index) + text.slice(end.index + end[0].length);
        vocative = name;
      }
    }
  }
  text = text.trim();
  return { text: text.slice(0, 1).toUpperCase() + text.slice(1), vocative };
}

const HEDGE =
  /\b(?:i think|maybe|perhaps|might|possibly|probably|i suppose|i guess|not sure|i bet|i hope|looks like|seems?|i expect|would like|i'd like|i dream)\b/i;

/** Whether a sentence is said without certainty. */
export function isHedged(sentence: string): boolean {
  return HEDGE.test(sentence);
}

function escapePattern(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');
}
