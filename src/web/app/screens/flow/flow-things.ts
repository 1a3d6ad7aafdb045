import { idOf, objectsIn } from "../../../../core/editing/changes/things.ts";
import { eachText } from "../../../../core/editing/references/texts.ts";
import { textAt } from "../../../../core/interpreter/flow.ts";
import type { OpenBot } from "../../editor/index.ts";
import type { BlockType } from "../../forms/index.ts";
import type { PaletteEntry } from "../../palette/entries.ts";

type FlowActs = { readonly onPanel: (name: "block") => void };

/** The groups and blocks of an open flow, by their texts. */
export function thingsOf(
  { editor }: OpenBot,
  types: ReadonlyMap<string, BlockType> | undefined,
  { onPanel }: FlowActs,
): readonly PaletteEntry[] {
  const entries: PaletteEntry[] = [];
  const select = (kind: "group" | "block" | "event", id: string) => () => {
    editor.selection.select({ kind, id });
    onPanel("block");
  };
  const draft = editor.store.draft.peek();
  const texts = new Map<string, string>();
  for (const { texts: found } of eachText(draft)) {
    for (const { target, text } of found) {
      const id = target.of === "item" ? target.in : target.id;
      if (id !== undefined && (texts.get(id)?.length ?? 0) < mostText)
        texts.set(id, `${texts.get(id) ?? ""} ${text.text.slice(0, mostText)}`.trim());
    }
  }
  for (const group of objectsIn(draft.groups)) {
    const [groupId = "", title = ""] = [idOf(group), textAt(group, "title")];
    entries.push({ section: "groups", label: title || groupId, icon: "folder", onPress: select("group", groupId) });
    for (const block of objectsIn(group["blocks"])) {
      const [id = "", type = ""] = [idOf(block), textAt(block, "type")];
      const known = types?.get(type);
      const name = known?.editor.name ?? type;
      entries.push({
        section: "blocks",
        label: texts.get(id) || name,
        detail: `${name} · ${title}`,
        icon: known?.editor.icon ?? "square-dashed",
        words: known?.editor.words.join(" "),
        onPress: select("block", id),
      });
    }
  }
  return entries;
}

/** A line has no room for more. */
const mostText = 80;
