/** The names of sets without a command's name: the draft's history shows them. */
export type Names = { readonly [Key in "undo" | "redo" | "restored"]: (title: string) => string };

export const plainNames: Names = {
  undo: (title) => `Undo: ${title}`,
  redo: (title) => `Redo: ${title}`,
  restored: (title) => title,
};
