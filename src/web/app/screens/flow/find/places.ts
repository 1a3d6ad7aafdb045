import type { Path, Target } from "../../../../../core/editing/changes/change.ts";
import type { Hit } from "../../../../../core/editing/references/search.ts";
import { textAt } from "../../../../../core/interpreter/flow.ts";
import { framesIn, notesIn } from "../../../editor/commands/surroundings.ts";
import type { Editor } from "../../../editor/index.ts";
import type { WordsOf } from "../../../words/language.ts";
import { sections as settingsSections } from "../../settings/sections.ts";
import { type FormPart, sections as themeSections } from "../../theme/sections.ts";
import { fieldTitle, type Known } from "./words-of.ts";

type Words = WordsOf<"find">;

/** The functions of the flow screen that show a match outside the flow itself. */
export type Surroundings = {
  /** Selects a note or a frame and scrolls it into view. */
  readonly choose: (beside: { readonly kind: "note" | "frame"; readonly id: string }, box: Box) => void;
  /** Moves the view to the current selection, at a zoom at which it is readable. */
  readonly show: () => void;
};

type Box = { readonly x: number; readonly y: number; readonly width: number; readonly height: number };

/** Selects the object that contains a match. The theme and the settings have their own screens, see `screenOf`. */
export function selectPlace(editor: Editor, { of, id, in: within }: Target, surroundings?: Surroundings): void {
  const { selection, copy } = editor;
  if (id === undefined) return;
  if (of === "item" && within !== undefined) {
    selection.select({ kind: "item", id, blockId: within });
    surroundings?.show();
  } else if (of === "group" || of === "block" || of === "event") {
    selection.select({ kind: of, id });
    surroundings?.show();
  } else if (of === "note" || of === "frame") {
    const all: readonly (Box & { readonly id: string })[] =
      of === "note" ? notesIn(copy.view()) : framesIn(copy.view());
    const box = all.find((one) => one.id === id);
    if (box) surroundings?.choose({ kind: of, id }, box);
  }
}

/**
 * Returns the path of the screen and section that edit a text of the theme or the settings; undefined for parts of the
 * flow.
 */
export function screenOf(botId: string, { of }: Target, path: Path): string | undefined {
  if (of !== "theme" && of !== "settings") return undefined;
  const section = sectionAt(of === "theme" ? themeSections : settingsSections, path);
  return `/bots/${botId}/${of}${section === undefined ? "" : `?part=${section}`}`;
}

/**
 * Returns the section that contains a field. If several sections match, returns the most specific one; if none matches,
 * undefined.
 */
export function sectionAt(sections: Readonly<Record<string, readonly FormPart[]>>, path: Path): string | undefined {
  const depth = ({ at, only, hasUnknown = false }: FormPart): number => {
    if (at.some((step, index) => step !== path[index])) return -1;
    if (only === undefined) return 2 * at.length + 1;
    return only.includes(String(path[at.length])) ? 2 * at.length + 2 : hasUnknown ? 2 * at.length : -1;
  };
  const found = Object.entries(sections).map(([name, parts]) => ({ name, depth: Math.max(-1, ...parts.map(depth)) }));
  const [best] = found.sort((one, other) => other.depth - one.depth);
  return best && best.depth >= 0 ? best.name : undefined;
}

/** Describes the position of a match in words. */
export function placeOfHit(
  { target, text: { path }, groupId }: Hit,
  editor: Editor,
  known: Known,
  words: Words,
): string {
  return placeName({ target, path, ...(groupId !== undefined && { groupId }) }, editor, known, words);
}

/** Describes a position in words, such as the group, the block and the field. */
export function placeName(
  { target, path, groupId }: { readonly target: Target; readonly path: Hit["text"]["path"]; readonly groupId?: string },
  { store }: Editor,
  known: Known,
  words: Words,
): string {
  const { of, id = "", in: within } = target;
  if (of === "note" || of === "frame") return words.fields[of];
  if (of === "event") return words.fields.event;
  if (of === "theme" || of === "settings")
    return [words.fields[of], fieldTitle(known, of, path)].filter((part) => part !== undefined).join(" · ");
  const blockId = of === "item" ? (within ?? "") : of === "block" ? id : undefined;
  const placed = blockId === undefined ? undefined : store.find.block(blockId);
  const group = store.find.group(groupId ?? placed?.groupId ?? id);
  const title = textAt(group, "title") ?? "";
  if (!placed) return `${title} · ${words.fields.title}`;
  const type = textAt(placed.block, "type") ?? "";
  const inBlock = of === "item" ? ["items", 0, ...path] : path;
  const field = inBlock.includes("richText") ? undefined : fieldTitle(known, type, inBlock);
  return [title, known.types?.get(type)?.editor.name ?? type, field]
    .filter((part) => part !== undefined && part !== "")
    .join(" · ");
}
