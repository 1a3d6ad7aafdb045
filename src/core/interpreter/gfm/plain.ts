import { isElement, type RichElement, type RichNode } from "../rich-text/nodes.ts";

/** A text as it is: a paragraph for lines in a row, an empty one for blank lines. Beyond the bound, all is one. */
export function plainNodes(text: string): RichElement[] {
  const parts = text
    .trim()
    .split(/\n(?:[ \t]*\n)+/)
    .filter((part) => part !== "");
  const shown =
    parts.length > mostParagraphs
      ? [...parts.slice(0, mostParagraphs), parts.slice(mostParagraphs).join("\n\n")]
      : parts;
  return shown.flatMap((part, index) => [...(index > 0 ? [paragraph("")] : []), paragraph(part)]);
}

const mostParagraphs = 1_000;

function paragraph(text: string): RichElement {
  return { type: "p", children: [{ text }] };
}

export function countOf(nodes: readonly RichNode[]): number {
  let count = nodes.length;
  for (const node of nodes) if (isElement(node)) count += countOf(node.children);
  return count;
}
