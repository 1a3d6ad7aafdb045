import { limits } from "../../limits.ts";
import type { TextLeaf } from "./nodes.ts";

/** A stored node as far as it makes sense: a clean leaf, or an element whose children have not been looked at yet. */
export type StoredNode =
  | { readonly kind: "leaf"; readonly leaf: TextLeaf }
  | { readonly kind: "element"; readonly element: StoredElement };

export type StoredElement = {
  readonly type: string;
  readonly url: string | undefined;
  readonly children: readonly unknown[];
  /** Every further property of the element. */
  readonly properties: Readonly<Record<string, unknown>>;
};

/**
 * Reads one node of a flow, which may hold anything: what has children is an element, what has text is a leaf, an
 * element without children is empty, and everything else is no node.
 */
export function readStoredNode(stored: unknown): StoredNode | undefined {
  if (!isRecord(stored)) return undefined;
  if (Array.isArray(stored["children"])) return { kind: "element", element: readElement(stored, stored["children"]) };
  if (isCleanLeaf(stored)) return { kind: "leaf", leaf: stored };
  if (typeof stored["text"] === "string") return { kind: "leaf", leaf: cleanLeaf(stored, stored["text"]) };
  if (typeof stored["type"] === "string") return { kind: "element", element: readElement(stored, [{ text: "" }]) };
  return undefined;
}

const noProperties = {};

function readElement(stored: Readonly<Record<string, unknown>>, children: readonly unknown[]): StoredElement {
  const { type, url, children: _, ...rest } = stored;
  return {
    type: typeof type === "string" ? type : "p",
    url: typeof url === "string" ? url : undefined,
    children,
    properties: boundedProperties(rest),
  };
}

/** The named marks are `true` or absent; other properties are the author's and stay. */
function isCleanLeaf(stored: Readonly<Record<string, unknown>>): stored is TextLeaf {
  if (typeof stored["text"] !== "string") return false;
  for (const key in stored) {
    if (key !== "text" && stored[key] !== true) return false;
  }
  return true;
}

function cleanLeaf(stored: Readonly<Record<string, unknown>>, text: string): TextLeaf {
  const { bold, italic, underline, ...rest } = stored;
  return {
    ...boundedProperties(rest),
    text,
    ...(bold === true && { bold }),
    ...(italic === true && { italic }),
    ...(underline === true && { underline }),
  };
}

/** Leaves out what is nested so deeply that writing it as JSON would overflow the stack. */
function boundedProperties(properties: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const entries = Object.entries(properties);
  if (entries.length === 0) return noProperties;
  if (entries.every(([, value]) => isShallow(value, limits.richText.depth))) return properties;
  // `fromEntries` defines properties, so a key `__proto__` is an ordinary one.
  return Object.fromEntries(entries.filter(([, value]) => isShallow(value, limits.richText.depth)));
}

function isShallow(value: unknown, levels: number): boolean {
  if (typeof value !== "object" || value === null) return true;
  if (levels === 0) return false;
  return Object.values(value).every((inner) => isShallow(inner, levels - 1));
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
