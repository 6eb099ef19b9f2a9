/** Loads the items of a list in order, each while the one before it is worked on: at most two are held here. */
export class LookAhead<Item, Loaded> {
  /** The item that is due next, and its loading. */
  #ahead: { readonly item: Item; readonly loading: Promise<Loaded> } | null = null;

  constructor(
    private readonly items: readonly Item[],
    private readonly load: (item: Item) => Promise<Loaded>,
  ) {}

  /** The item, loaded, of which nothing is kept here; the next one begins to load. @throws what loading it throws. */
  async take(item: Item): Promise<Loaded> {
    const loading = this.#ahead?.item === item ? this.#ahead.loading : this.load(item);
    this.#ahead = null;
    const loaded = await loading;
    const next = this.items[this.items.indexOf(item) + 1];
    if (next !== undefined) {
      this.#ahead = { item: next, loading: this.load(next) };
      // What fails here fails its item, when that is due.
      this.#ahead.loading.catch(() => {});
    }
    return loaded;
  }
}
