import type { Parser } from "@lezer/common";
import { highlightTree, tagHighlighter, tags } from "@lezer/highlight";

/** Code and its highlighted parts. A part is the range between two positions, with the name of its class. */
export type ColoredCode = {
  readonly text: string;
  readonly spans: readonly { readonly from: number; readonly to: number; readonly name: string }[];
};

/** Finds the parts of code that have a color. */
export function partsOf(text: string, parser: Parser): ColoredCode["spans"] {
  const spans: { from: number; to: number; name: string }[] = [];
  highlightTree(parser.parse(text), highlighter, (from, to, name) => void spans.push({ from, to, name }));
  return spans;
}

const highlighter = tagHighlighter([
  { tag: [tags.comment, tags.meta], class: "comment" },
  {
    tag: [tags.keyword, tags.operatorKeyword, tags.modifier, tags.self, tags.bool, tags.null, tags.atom],
    class: "keyword",
  },
  { tag: [tags.string, tags.special(tags.string), tags.regexp, tags.attributeValue], class: "text" },
  { tag: [tags.number, tags.unit, tags.color], class: "number" },
  { tag: [tags.typeName, tags.className, tags.tagName, tags.namespace], class: "type" },
  { tag: [tags.propertyName, tags.attributeName, tags.labelName], class: "property" },
  { tag: [tags.function(tags.variableName), tags.function(tags.propertyName), tags.macroName], class: "function" },
]);
