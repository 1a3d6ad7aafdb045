import { area, say } from "./language.ts";

/** The words of the editor for rich text. */
export const textWords = area("text", {
  toolbar: "Formatting",
  keys: "Press Alt and F10 for formatting.",
  bold: "Bold",
  italic: "Italic",
  underline: "Underlined",
  link: "Link",
  ul: "List",
  ol: "Numbered list",
  variable: "Insert a variable",
  address: "Address of the link",
  apply: "Apply",
  removeLink: "Remove the link",
  variables: "Variables",
  noVariables: "No variables found.",
  makeVariable: (name: string) => say("Create variable “{name}”", { name }),
});
