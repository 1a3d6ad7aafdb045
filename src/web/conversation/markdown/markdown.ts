import type { RichNode } from "../../../core/interpreter/rich-text/nodes.ts";
import { readBlocks, textBlock, withBlankLines } from "./markdown-blocks.ts";

/**
 * Reads a Markdown text that grows, and gives the rich text that the service makes of the same words once they are whole: where that takes its
 * place, nothing moves. Only the last block is read again with each piece. No HTML is read, none is made, and pictures are not known.
 */
export function createMarkdown(): (text: string) => readonly RichNode[] {
  let settled: RichNode[] = [];
  let settledLength = 0;
  let before = "";
  return (text) => {
    const grown = text.replaceAll(/\r\n?/g, "\n");
    if (isTooMuch(grown)) return plainNodes(grown);
    if (!grown.startsWith(before)) {
      settled = [];
      settledLength = 0;
    }
    before = grown;
    const lines = grown.slice(settledLength).split("\n");
    const incomplete = lines.length - 1;
    const blocks = readBlocks(openLines(lines), { isOpen: true, depth: 0 });
    const last = blocks.at(-1);
    // A block is over once another one has begun for sure.
    if (blocks.length > 1 && last && last.begin < incomplete) {
      const over = blocks.slice(0, -1);
      const next = (over.at(-1)?.end ?? 0) + 1;
      settled = [...settled, ...withBlankLines(over)];
      settledLength += lines.slice(0, next).join("\n").length + 1;
      const moved = { ...last, begin: last.begin - next };
      return [...settled, ...withBlankLines([moved])];
    }
    return [...settled, ...withBlankLines(blocks)];
  };
}

/** Whether the service, too, shows a text as it is, because reading it would take long (`limits.richText`). */
function isTooMuch(text: string): boolean {
  const isLong = text.length > 16_384 || count(text, /\n/g) >= 500;
  return isLong || count(text, /[*_]/g) > 800 || count(text, /\[/g) > 300;
}

function count(text: string, what: RegExp): number {
  return text.match(what)?.length ?? 0;
}

function plainNodes(text: string): RichNode[] {
  const nodes: RichNode[] = [];
  let lines: string[] = [];
  for (const line of [...text.replace(/\n$/, "").split("\n"), ""]) {
    const trimmed = line.replaceAll(/^[ \t]+|[ \t]+$/g, "");
    if (trimmed !== "") {
      lines.push(trimmed);
      continue;
    }
    nodes.push(textBlock("p", lines.join("\n")), ...(lines.length > 0 ? [textBlock("p", "")] : []));
    lines = [];
  }
  return nodes.slice(0, -1);
}

/** The lines of a text that grows, without an end that may yet become something else: half a rule, the mark of a list. */
function openLines(lines: readonly string[]): string[] {
  const [...shown] = lines;
  const last = shown.at(-1) ?? "";
  const isUnclear = /^[ \t>]*(?:[-+*_=~`#]+|\d{1,9}[.)]?)?[ \t]*$/.test(last);
  if (isUnclear) shown.pop();
  return shown;
}
