import { Fragment, type Node } from "prosemirror-model";
import type { Transaction } from "prosemirror-state";

/**
 * Turns the document into `target` by replacing only the range that differs, so that the caret and the undo history are
 * preserved. Returns false if the result is not equal to `target`; the editor must then be created again.
 */
export function applyDifference(change: Transaction, target: Node): boolean {
  const [old, now] = [withoutSources(change.doc).content, withoutSources(target).content];
  const from = old.findDiffStart(now);
  const to = from === null ? null : old.findDiffEnd(now);
  if (from !== null && to) {
    // If the same letters occur twice, the ends of the differing ranges may overlap.
    const overlap = Math.max(0, from - Math.min(to.a, to.b));
    change.replace(from, to.a + overlap, target.slice(from, to.b + overlap));
  }
  if (!withoutSources(change.doc).content.eq(now)) return false;
  setAttributes(change, target);
  return true;
}

/** Removes the source of each block, which is not part of the visible text. */
function withoutSources(node: Node): Node {
  if (node.isText || node.type.name.startsWith("unknown")) return node;
  const attrs = "source" in node.attrs ? { ...node.attrs, source: null } : node.attrs;
  return node.type.create(attrs, Fragment.from(node.children.map(withoutSources)), node.marks);
}

function setAttributes(change: Transaction, target: Node): void {
  const { doc } = change;
  for (const [key, value] of Object.entries(target.attrs))
    if (doc.attrs[key] !== value) change.setDocAttribute(key, value);
  target.descendants((node, at) => {
    if (node.isInline) return false;
    const now = doc.nodeAt(at);
    for (const [key, value] of Object.entries(node.attrs))
      if (now?.attrs[key] !== value) change.setNodeAttribute(at, key, value);
    return true;
  });
}
