/** The names of change sets that no command names. The history of the draft shows these names. */
export type Names = { readonly [Key in "undo" | "redo" | "restored"]: (title: string) => string };

export const plainNames: Names = {
  undo: (title) => `Undo: ${title}`,
  redo: (title) => `Redo: ${title}`,
  restored: (title) => title,
};
