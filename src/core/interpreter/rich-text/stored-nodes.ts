import { limits } from "../../../limits/index.ts";
import { isJsonObject } from "../flow.ts";
import { isMark } from "./marks.ts";
import type { TextLeaf } from "./nodes.ts";

/** A valid leaf, or an element whose children have not been parsed yet. */
export type StoredNode =
  | { readonly kind: "leaf"; readonly leaf: TextLeaf }
  | { readonly kind: "element"; readonly element: StoredElement };

export type StoredElement = {
  readonly type: string;
  readonly url: string | undefined;
  readonly children: readonly unknown[];
  readonly properties: Readonly<Record<string, unknown>>;
};

/**
 * Parses a single node of a flow, which may be any value. A node with children is an element, a node with text is a
 * leaf, and any other node with a type is an empty element. Returns undefined for any other value.
 */
export function readStoredNode(stored: unknown): StoredNode | undefined {
  if (!isJsonObject(stored)) return undefined;
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

/** Whether the leaf is valid as stored: every property except the text is true. */
function isCleanLeaf(stored: Readonly<Record<string, unknown>>): stored is TextLeaf {
  if (typeof stored["text"] !== "string") return false;
  for (const key in stored) {
    if (key !== "text" && stored[key] !== true) return false;
  }
  return true;
}

function cleanLeaf(stored: Readonly<Record<string, unknown>>, text: string): TextLeaf {
  const { text: _, ...members } = stored;
  // Marks that are not true are removed. `Object.fromEntries` defines properties, so that the key `__proto__` is an
  // ordinary key.
  const set = Object.entries(members).filter(([name, value]) => value === true || !isMark(name));
  return { ...boundedProperties(Object.fromEntries(set)), text };
}

/** Removes properties that are nested too deeply, because serialising them as JSON would overflow the stack. */
function boundedProperties(properties: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const entries = Object.entries(properties);
  if (entries.length === 0) return noProperties;
  if (entries.every(([, value]) => isShallow(value, limits.richText.depth))) return properties;
  return Object.fromEntries(entries.filter(([, value]) => isShallow(value, limits.richText.depth)));
}

function isShallow(value: unknown, levels: number): boolean {
  if (typeof value !== "object" || value === null) return true;
  if (levels === 0) return false;
  return Object.values(value).every((inner) => isShallow(inner, levels - 1));
}
