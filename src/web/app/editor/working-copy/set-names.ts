/**
 * The titles that the history shows for an undo, a redo and a restored version. Each function receives the original
 * title.
 */
export type Names = { readonly [Key in "undo" | "redo" | "restored"]: (title: string) => string };

export const plainNames: Names = {
  undo: (title) => `Undo: ${title}`,
  redo: (title) => `Redo: ${title}`,
  restored: (title) => title,
};
