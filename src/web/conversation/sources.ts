import type { RichNode, TextLeaf } from "../../core/interpreter/rich-text/nodes.ts";
import { filledTextAt, listAt } from "./read.ts";
import { hasChildren } from "./rich-text.ts";

/** A source of an answer. The answer's text refers to it by its id, such as `[S1]`. */
export type Source = {
  readonly id: string;
  readonly title: string;
  readonly url: string | undefined;
  /** The position within the source, such as a page number. */
  readonly place: string | undefined;
};

/** The maximum number of sources of an answer. */
const mostSources = 12;

/**
 * Returns the valid sources of a text bubble, up to `mostSources`. Each id is included once, and only web URLs are
 * kept.
 */
export function sourcesOf(content: unknown): readonly Source[] {
  const sources = new Map<string, Source>();
  for (const one of listAt(content, "sources")) {
    const [id = "", title] = [filledTextAt(one, "id"), filledTextAt(one, "title")?.trim()];
    if (!/^S\d{1,2}$/.test(id) || !title || sources.has(id) || sources.size === mostSources) continue;
    sources.set(id, { id, title, url: webAddress(filledTextAt(one, "url")), place: filledTextAt(one, "place") });
  }
  return [...sources.values()];
}

function webAddress(address: string | undefined): string | undefined {
  const url = URL.parse(address ?? "");
  return url && /^https?:$/.test(url.protocol) ? url.href : undefined;
}

/**
 * Returns a text in which each reference to one of these sources is a separate element with the source's number.
 * References in code and in formulas are unchanged.
 */
export function withReferences(nodes: readonly RichNode[], sources: readonly Source[]): RichNode[] {
  return nodes.flatMap((node) => {
    if (!hasChildren(node)) return node.code === true || node.math === true ? [node] : referring(node, sources);
    const isKept = node.type === "code_block" || node.type === "math";
    return [isKept ? node : { ...node, children: withReferences(node.children, sources) }];
  });
}

function referring(leaf: TextLeaf, sources: readonly Source[]): RichNode[] {
  // Every second part is an id.
  return leaf.text.split(/\[(S\d{1,2})\]/).map((part, index) => {
    const number = index % 2 === 0 ? 0 : sources.findIndex(({ id }) => id === part) + 1;
    if (number > 0) return { type: "source_reference", number, children: [{ text: String(number) }] };
    return { ...leaf, text: index % 2 === 0 ? part : `[${part}]` };
  });
}
