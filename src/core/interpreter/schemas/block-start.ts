/** The initial contents of a new block. The editor adds ids to the entries of lists. */
export type BlockStart = {
  readonly block: Readonly<Record<string, unknown>>;
  /**
   * A variable that the block refers to at `path`. The flow's variable with this name is used, or created if it does
   * not exist.
   */
  readonly variable?: { readonly name: string; readonly path: readonly (string | number)[] };
};
