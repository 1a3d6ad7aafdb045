import { escapeHtml } from "./html.ts";
import { isElement, type RichNode } from "./nodes.ts";

/**
 * Returns the lines of a bubble that contains only single-line paragraphs without marks and links, as most bubbles do.
 * Returns undefined for any other bubble.
 */
export function plainLines(nodes: readonly RichNode[]): string[] | undefined {
  const lines: string[] = [];
  for (const node of nodes) {
    const line = isElement(node) && node.type === "p" ? plainLine(node.children) : undefined;
    if (line === undefined) return undefined;
    lines.push(line);
  }
  return lines;
}

function plainLine(leaves: readonly RichNode[]): string | undefined {
  let line = "";
  for (const leaf of leaves) {
    for (const key in leaf) if (key !== "text") return undefined;
    if (isElement(leaf)) return undefined;
    line += leaf.text;
  }
  return line.includes("\n") || line.includes("\r") ? undefined : line;
}

/** Formats lines as the HTML that `toHtml` returns for their paragraphs. */
export function linesAsHtml(lines: readonly string[]): string {
  let html = "";
  for (const line of lines) html += `<p>${escapeHtml(line) || "<br>"}</p>`;
  return html;
}
