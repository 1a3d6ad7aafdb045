/** The contents of a new block. Entries of its lists get ids. */
export type BlockStart = {
  readonly block: Readonly<Record<string, unknown>>;
  /** A variable that the block names at this place: the flow's variable of this name, or a new one. */
  readonly variable?: { readonly name: string; readonly path: readonly (string | number)[] };
};
