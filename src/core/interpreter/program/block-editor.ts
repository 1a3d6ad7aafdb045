/** What editors show of a block type: data, which nothing of a chat reads. */
export type BlockEditor = {
  /** What authors call it. */
  readonly name: string;
  /** Name of an icon of Lucide. */
  readonly icon: string;
  /** What else authors may search it by. */
  readonly words: readonly string[];
  /**
   * What its line says: the first of these texts whose paths all lead to something. `{options.url}` stands for the value at that path, or
   * for the field's default; the id of a variable or a group stands for its name, rich text for its words.
   */
  readonly row: readonly string[];
  /** Types that it can be turned into, keeping what both know. */
  readonly related: readonly string[];
};
