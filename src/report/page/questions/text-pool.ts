/** Texts that many rows share, each kept once and named by its place. */
export class TextPool {
  readonly #places = new Map<string, number>();

  get texts(): readonly string[] {
    return [...this.#places.keys()];
  }

  place(text: string): number {
    const known = this.#places.get(text);
    if (known !== undefined) return known;
    this.#places.set(text, this.#places.size);
    return this.#places.size - 1;
  }

  /** The places of a long text's pieces: cut after line feeds, and between the strings of a JSON array. Put together, they are the text. */
  pieces(text: string): number[] {
    return text.split(/(?<=\n|",")/).map((piece) => this.place(piece));
  }
}
