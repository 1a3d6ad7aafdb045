import type { Target } from "../../../editing/change.ts";
import type { Hit } from "../../../editing/search.ts";
import { textAt } from "../../../interpreter/flow.ts";
import type { Editor } from "../editor/index.ts";
import type { BlockType } from "../forms/index.ts";
import type { findWords } from "../words/flow-find.ts";
import { fieldTitle } from "./words-of.ts";

type Words = (typeof findWords)["en"];

/** Selects what a place of the flow belongs to. */
export function selectPlace({ selection }: Editor, { of, id, in: within }: Target): void {
  if (id === undefined) return;
  if (of === "item" && within !== undefined) selection.value = { kind: "item", id, blockId: within };
  else if (of === "group" || of === "block" || of === "event") selection.value = { kind: of, id };
}

/** Where something stands, in words: the group, the block, the field. */
export function placeName(
  { target, path, groupId }: { readonly target: Target; readonly path: Hit["text"]["path"]; readonly groupId?: string },
  { store }: Editor,
  types: ReadonlyMap<string, BlockType> | undefined,
  words: Words,
): string {
  const { of, id = "", in: within } = target;
  if (of === "note" || of === "frame") return words.fields[of];
  if (of === "event") return words.fields.event;
  const blockId = of === "item" ? (within ?? "") : of === "block" ? id : undefined;
  const placed = blockId === undefined ? undefined : store.find.block(blockId);
  const group = store.find.group(groupId ?? placed?.groupId ?? id);
  const title = textAt(group, "title") ?? "";
  if (!placed) return `${title} · ${words.fields.title}`;
  const type = textAt(placed.block, "type") ?? "";
  const inBlock = of === "item" ? ["items", 0, ...path] : path;
  const field = inBlock.includes("richText") ? undefined : fieldTitle(types, type, inBlock);
  return [title, types?.get(type)?.editor.name ?? type, field]
    .filter((part) => part !== undefined && part !== "")
    .join(" · ");
}
