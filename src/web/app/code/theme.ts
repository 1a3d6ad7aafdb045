import { HighlightStyle } from "@codemirror/language";
import { EditorView } from "@codemirror/view";
import { tags } from "@lezer/highlight";

/** The colours are CSS custom properties of the page, which also apply in the shadow root. */
export const codeStyle = HighlightStyle.define([
  { tag: [tags.keyword, tags.modifier, tags.operatorKeyword, tags.controlKeyword], color: "var(--app-accent-ink)" },
  { tag: [tags.string, tags.special(tags.string), tags.regexp, tags.attributeValue], color: "var(--app-good)" },
  { tag: [tags.number, tags.bool, tags.null, tags.atom, tags.unit, tags.color], color: "var(--app-warning)" },
  { tag: [tags.comment, tags.meta], color: "var(--app-muted)", fontStyle: "italic" },
  { tag: [tags.tagName, tags.attributeName, tags.propertyName], color: "var(--app-text)", fontWeight: "500" },
  { tag: [tags.function(tags.variableName), tags.className, tags.typeName], color: "var(--app-accent-ink)" },
  { tag: tags.invalid, color: "var(--app-danger)" },
]);

export const codeTheme = EditorView.theme({
  "&": {
    border: "1px solid var(--app-line-strong)",
    borderRadius: "var(--app-radius-m)",
    background: "var(--app-surface)",
    color: "var(--app-text)",
    fontSize: "var(--app-text-s)",
  },
  "&.cm-focused": { outline: "2px solid var(--app-focus)", outlineOffset: "-1px" },
  ".cm-scroller": {
    fontFamily: "var(--app-mono)",
    lineHeight: "1.5",
    minHeight: "88px",
    maxHeight: "420px",
    overflow: "auto",
  },
  ".cm-content": { padding: "8px 0", caretColor: "var(--app-text)" },
  ".cm-line": { padding: "0 10px" },
  ".cm-cursor": { borderLeftColor: "var(--app-text)" },
  "&.cm-focused .cm-selectionBackground, .cm-selectionBackground": { background: "var(--app-accent-soft) !important" },
  ".cm-placeholder": { color: "var(--app-muted)" },
  ".cm-matchingBracket, &.cm-focused .cm-matchingBracket": {
    background: "var(--app-pressed)",
    outline: "none",
  },
  ".cm-parley-variable, .cm-parley-variable *": { color: "var(--app-accent-ink) !important" },
  ".cm-parley-variable": { borderRadius: "4px", background: "var(--app-accent-soft)" },
  ".cm-tooltip": {
    border: "1px solid var(--app-line)",
    borderRadius: "var(--app-radius-m)",
    background: "var(--app-raised)",
    boxShadow: "var(--app-shadow-2)",
    color: "var(--app-text)",
    overflow: "hidden",
  },
  ".cm-tooltip.cm-completionInfo": { padding: "8px 10px", maxWidth: "280px", fontSize: "var(--app-text-s)" },
  ".cm-tooltip.cm-tooltip-autocomplete > ul": { fontFamily: "var(--app-mono)", maxHeight: "240px" },
  ".cm-tooltip.cm-tooltip-autocomplete > ul > li": { padding: "4px 10px", minHeight: "24px", boxSizing: "border-box" },
  ".cm-tooltip.cm-tooltip-autocomplete > ul > li[aria-selected]": {
    background: "var(--app-accent)",
    color: "var(--app-accent-text)",
  },
  ".cm-completionDetail": { color: "inherit", opacity: "0.8", fontStyle: "normal", marginLeft: "8px" },
  ".cm-diagnostic": { padding: "6px 10px", fontFamily: "var(--app-font)", fontSize: "var(--app-text-s)" },
  ".cm-diagnostic-error": { borderLeft: "3px solid var(--app-danger)" },
  ".cm-lintRange-error": {
    backgroundImage: "none",
    textDecoration: "underline wavy var(--app-danger)",
    textUnderlineOffset: "3px",
  },
});
