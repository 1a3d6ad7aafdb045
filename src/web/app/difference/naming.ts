import { type JsonObject, textAt } from "../../../core/interpreter/flow.ts";
import { lineOfItem } from "../forms/block-line.ts";
import { rowText } from "../forms/reading.ts";
import type { LineContext } from "./line-context.ts";
import type { AllNames } from "./names.ts";
import type { LeadChange, ThingChange } from "./thing-change.ts";

export type Named = { readonly what: string; readonly icon: string; readonly says: string };

/** Returns the name and the icon of an object, and a shortened form of its text. */
export function nameOf(changed: ThingChange, context: LineContext, block: JsonObject | undefined): Named {
  const { words, outline, eventNames, types } = context;
  const value = changed.after ?? changed.before ?? {};
  const names = changed.after ? context.names.after : context.names.before;
  const type = textAt(value, "type") ?? "";
  switch (changed.of) {
    case "group":
      return { what: textAt(value, "title") || outline.untitled, icon: "folder", says: "" };
    case "event": {
      const icon = types?.get(type)?.editor.icon ?? (type === "start" ? "play" : "radio");
      return { what: eventNames[type] ?? type, icon, says: textAt(value, "options", "command") ?? "" };
    }
    case "block": {
      const known = types?.get(type);
      const text = known ? rowText(known.editor.row, { schema: known.schema, value, names }) : "";
      // A text that a field shows below is not repeated.
      const isShownBelow = changed.values.length > 0 || changed.inner.length > 0;
      const says = isShownBelow || text === "" ? "" : shortened(text);
      return { what: known?.editor.name ?? type, icon: known?.editor.icon ?? "square-dashed", says };
    }
    case "item":
      return {
        what: words.item,
        icon: "circle-dashed",
        says: changed.values.length > 0 ? "" : shortened(lineOfItem(block ?? {}, value, types, names)),
      };
    case "variable":
      return { what: words.variable, icon: "braces", says: textAt(value, "name") ?? "" };
    case "edge":
      return { what: words.connection, icon: "arrow-right", says: edgeText(changed, context) };
    case "bot":
      return { what: words.flow, icon: "list-tree", says: "" };
    default: {
      const isShownBelow = changed.values.some(({ path }) => path[0] === "text" || path[0] === "title");
      const text = isShownBelow ? "" : (textAt(value, "text") ?? textAt(value, "title") ?? "");
      return { what: words[changed.of], icon: icons[changed.of], says: shortened(text) };
    }
  }
}

const icons = { theme: "sun", settings: "settings", note: "sticky-note", frame: "frame", editor: "pencil" } as const;

/** Describes an edge that belongs to no outlet of the flow. */
function edgeText({ before, after }: ThingChange, { names, words }: LineContext): string {
  const to = after ?? before;
  const groupId = textAt(to, "to", "groupId") ?? "";
  const blockId = textAt(to, "to", "blockId");
  const target = { groupId, ...(blockId !== undefined && { blockId }) };
  return words.leadsOn({ title: targetText(target, after ? names.after : names.before, words) });
}

/**
 * Returns the title of the target group, followed by the block if the target is not the first block of the group. A
 * missing or removed target has a text of its own.
 */
export function targetText(
  target: LeadChange["from"],
  names: AllNames,
  words: { readonly nowhere: string; readonly gone: string },
): string {
  if (target === undefined) return words.nowhere;
  const group = names.group(target.groupId);
  const block = target.blockId === undefined ? undefined : names.block(target.blockId);
  if (group === undefined) return block ?? words.gone;
  return block === undefined ? group : `${group} › ${block}`;
}

/** Returns the name of an item as in its form, or its position if it has no name. */
export function itemName(changed: ThingChange, itemId: string | undefined, { types, names }: LineContext): string {
  const block = changed.after ?? changed.before ?? {};
  const items: unknown = block["items"];
  const entries: readonly unknown[] = Array.isArray(items) ? items : [];
  const at = entries.findIndex((one) => textAt(one, "id") === itemId);
  return shortened(lineOfItem(block, entries[at], types, changed.after ? names.after : names.before)) || String(at + 1);
}

function shortened(text: string): string {
  return text.length > 140 ? `${text.slice(0, 139)}…` : text;
}
