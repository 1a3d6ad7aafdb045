/** What sets are called that no command names: they are told in the draft's history. */
export type Names = { readonly [Key in "undo" | "redo" | "restored"]: (title: string) => string };

export const plainNames: Names = {
  undo: (title) => `Undo: ${title}`,
  redo: (title) => `Redo: ${title}`,
  restored: (title) => title,
};
