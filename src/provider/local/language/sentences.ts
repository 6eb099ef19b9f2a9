const ABBREVIATIONS = /(?:^|[\s("“])(?:mr|mrs|ms|dr|prof|st|rev|sr|jr|capt|sgt|vs|approx|e\.g|i\.e|[A-Z])\.$/i;
/** Longer sentences are cut at a word, so that no input can make the tagger slow. */
const MAX_SENTENCE_CHARACTERS = 400;

/** The sentences of a text, in order, trimmed; none is empty. A line feed ends a sentence. */
export function splitSentences(text: string): string[] {
  const sentences: string[] = [];
  for (const line of text.split(/[\r\n]+/)) {
    let open = '';
    for (const piece of line.split(/(?<=[.!?…]["'”’)]*)\s+/u)) {
      open = open === '' ? piece : `${open} ${piece}`;
      const continues =
        ABBREVIATIONS.test(open) || /^[a-z]/.test(line.slice(line.indexOf(piece) + piece.length).trimStart());
      if (continues && open.length < MAX_SENTENCE_CHARACTERS) continue;
      push(sentences, open);
      open = '';
    }
    push(sentences, open);
  }
  return sentences;
}

function push(sentences: string[], text: string): void {
  let rest = text.replace(/\s+/g, ' ').trim();
  while (rest.length > MAX_SENTENCE_CHARACTERS) {
    const space = rest.lastIndexOf(' ', MAX_SENTENCE_CHARACTERS);
    const cut = space > 0 ? space : MAX_SENTENCE_CHARACTERS;
    sentences.push(rest.slice(0, cut).toWellFormed());
    rest = rest.slice(cut).trim();
  }
  if (rest !== '') sentences.push(rest.toWellFormed());
}

/** Whether a sentence asks. */
export function isQuestion(sentence: string): boolean {
  return /\?["'”’)!]*$/.test(sentence);
}
