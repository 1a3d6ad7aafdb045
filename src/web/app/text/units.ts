import type { Node } from "prosemirror-model";
import { lengthOf } from "../../../core/editing/text/content.ts";
import { unitsOf } from "../../../core/editing/text/units.ts";
import { textSchema } from "./schema.ts";

/** A part of a document: the `size` positions starting at `from` correspond to `units` units of the stored text. */
type Part = { readonly from: number; readonly size: number; readonly units: number };

/**
 * Whether a document has the same units as its stored text. The units may differ if no editor could have written the
 * stored text.
 */
export function hasUnitsOf(doc: Node, tree: unknown): boolean {
  const units = Array.isArray(tree) ? unitsOf(tree) : undefined;
  return units !== undefined && lengthOf(units) === partsOf(doc).reduce((sum, part) => sum + part.units, 0);
}

/** Converts a position in the editor to a unit of the stored text. */
export function unitAt(doc: Node, position: number): number {
  let units = 0;
  let last = 0;
  for (const part of partsOf(doc)) {
    if (position < part.from) return last;
    if (position < part.from + part.size) return units + (part.size === part.units ? position - part.from : 0);
    units += part.units;
    // The end of a line is one unit, which separates the line from the next one.
    last = part.size === 0 ? units - part.units : units;
    if (part.size === 0 && position === part.from) return last;
  }
  return last;
}

/** Converts a unit of the stored text to a position in the editor. */
export function positionAt(doc: Node, unit: number): number {
  let units = 0;
  let last = 0;
  for (const part of partsOf(doc)) {
    const within = unit - units;
    if (within < part.units) return part.from + (part.size === part.units ? within : 0);
    units += part.units;
    last = part.from + part.size;
  }
  return last;
}

const { nodes } = textSchema;

function partsOf(doc: Node): readonly Part[] {
  const parts: Part[] = [];
  doc.descendants((node, at) => {
    if (node.type === nodes.unknownBlock) {
      const units = lengthOf(unitsOf([node.attrs["source"]?.value]) ?? "??");
      parts.push({ from: at, size: 1, units: units - 1 }, { from: at + 1, size: 0, units: 1 });
      return false;
    }
    if (!node.isTextblock) return true;
    node.forEach((child, offset) => {
      parts.push({ from: at + 1 + offset, size: child.nodeSize, units: unitsOfInline(child) });
    });
    parts.push({ from: at + 1 + node.content.size, size: 0, units: node.childCount > 0 ? 1 : unitsOfEmpty(node) });
    return false;
  });
  return parts;
}

/** Returns the number of units of a line without leaves, which edits treat as an unknown node. */
function unitsOfEmpty({ attrs }: Node): number {
  const units = attrs["source"] === null ? undefined : unitsOf([attrs["source"].value]);
  return units?.some((one) => "node" in one) ? 2 : 1;
}

function unitsOfInline(node: Node): number {
  if (node.isText) return node.nodeSize;
  if (node.type === nodes.chip) return String(node.attrs["text"]).length;
  if (node.type !== nodes.unknownInline) return 1;
  // Edits may treat a node as text although the schema of the editor does not support it.
  const units = unitsOf([{ type: "p", children: [node.attrs["source"]?.value] }]);
  return units ? lengthOf(units) - 1 : 1;
}
