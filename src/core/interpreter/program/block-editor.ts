/** How editors show a block type: data that chats never read. */
export type BlockEditor = {
  /** Its name for authors. */
  readonly name: string;
  /** Name of an icon of Lucide. */
  readonly icon: string;
  /** Further words that authors may search it by. */
  readonly words: readonly string[];
  /**
   * Its line: the first of these texts whose paths all lead to something. `{options.url}` becomes the value at that path, or the field's
   * default; the id of a variable or a group becomes its name, rich text its plain words.
   */
  readonly row: readonly string[];
  /** Types that it can be turned into; fields that both types have are kept. */
  readonly related: readonly string[];
};
