import { entriesOf } from "../../../../core/editing/changes/things.ts";
import { referencesIn } from "../../../../core/editing/references/references.ts";
import { isJsonObject, type JsonObject, textAt, valueAt } from "../../../../core/interpreter/flow.ts";
import { lineOfBlock, lineOfItem } from "../../forms/block-line.ts";
import type { BlockType, FieldSchema } from "../../forms/index.ts";
import type { Names } from "../../forms/row.ts";
import { type WayOutWords, wayOutLine } from "../../forms/way-out.ts";
import type { RowTexts } from "./geometry.ts";

/** The greatest number of letters that fit into two lines. */
const mostLetters = 200;

export type RowWords = {
  readonly otherwise: string;
  readonly untitled: string;
  readonly unknownType: string;
  readonly events: Readonly<Record<string, string>>;
  readonly ways: WayOutWords;
  /** Returns the default text of an item without text. */
  item(position: number, isBranch: boolean): string;
};

/** The names and translations from which row texts are made. */
export type RowTextSource = {
  readonly types: ReadonlyMap<string, BlockType> | undefined;
  readonly words: RowWords;
} & Names;

/** Row texts with a check whether cached texts are still valid. */
export type FreshRowTexts = RowTexts & {
  /** Whether a block's cached text is still valid. */
  isFresh(block: JsonObject): boolean;
};

type Use = { readonly of: "variable" | "group" | "bot"; readonly id: string; readonly name: string | undefined };
type Said = ReturnType<RowTexts["block"]>;
type SaidOfItem = ReturnType<RowTexts["item"]>;
type Known = { readonly said: Said; readonly items: readonly SaidOfItem[]; readonly uses: readonly Use[] };

/** Creates row texts with a cache. The text of a block stays valid until the block or a name in the text changes. */
export function createRowTexts(source: RowTextSource): FreshRowTexts {
  const known = new WeakMap<JsonObject, Known>();
  const { types, words } = source;

  const read = (block: JsonObject): Known => {
    const found = known.get(block);
    if (found && isStillSo(found.uses, source)) return found;
    const uses: Use[] = [];
    const names = listening(source, uses);
    const list = entriesOf(block["items"]);
    const type = types?.get(textAt(block, "type") ?? "");
    const schema = type?.schema.properties;
    const isBranch = type?.editor.items === "branches";
    const items = list.map((item, index): SaidOfItem => {
      const text = folded(lineOfItem(block, item, types, names));
      const picture = pictureIn(schema?.["items"]?.items, item);
      return { text: text || words.item(index + 1, isBranch), ...(text === "" && { isNameOnly: true }), ...picture };
    });
    const picture = pictureIn(schema?.["content"], block["content"]);
    const made = { said: { ...said(block, { source, names, hasItems: list.length > 0 }), ...picture }, items, uses };
    known.set(block, made);
    return made;
  };

  return {
    block: (block) => read(block).said,
    item: (block, item) => read(block).items[entriesOf(block["items"]).indexOf(item)] ?? { text: "" },
    event(event) {
      const type = textAt(event, "type") ?? "";
      const command = textAt(event, "options", "command");
      return command ? `/${command.replace(/^\//, "")}` : (words.events[type] ?? type);
    },
    otherwise: words.otherwise,
    way: (block, name) => wayOutLine(name, valueAt(block, "options", name), words.ways),
    untitled: words.untitled,
    isFresh(block) {
      const found = known.get(block);
      return found !== undefined && isStillSo(found.uses, source);
    },
  };
}

type Reading = { readonly source: RowTextSource; readonly names: Names; readonly hasItems: boolean };

function said(block: JsonObject, { source: { types, words }, names, hasItems }: Reading): Said {
  const type = textAt(block, "type") ?? "";
  const known = types?.get(type);
  const icon = known?.editor.icon ?? "square-dashed";
  const name = known?.editor.name ?? (type === "" ? words.unknownType : type);
  // A block with items shows its items below it instead of a text.
  const line = folded(lineOfBlock(block, types, names, { hasItems }));
  const variable = writtenBy(block, names, line);
  return {
    icon,
    ...(known?.editor.family && { family: known.editor.family }),
    text: line === "" ? name : line,
    ...(line === "" && { isNameOnly: true }),
    ...(variable !== undefined && { variable }),
  };
}

/** Returns the picture that a part of a block shows, if the picture's URL is known before the chat. */
function pictureIn(schema: FieldSchema | undefined, value: unknown): { readonly picture?: string } {
  if (!isJsonObject(value)) return {};
  for (const [key, { holds }] of Object.entries(schema?.properties ?? {})) {
    const address = holds === "image" ? textAt(value, key) : undefined;
    if (address && /^(https?:|data:image)[^{}]*$/.test(address)) return { picture: address };
  }
  return {};
}

/**
 * Returns the name of the first variable that the block sets, followed by the number of further variables. Variables
 * whose names already begin the row are skipped. Returns undefined if no variable is left.
 */
function writtenBy(block: JsonObject, names: Names, line: string): string | undefined {
  const ids = new Set(
    referencesIn(block).flatMap(({ to, how, value }) => (to === "variable" && how === "write" ? [value] : [])),
  );
  const [first, ...others] = [...ids]
    .flatMap((id) => names.variable(id) ?? [])
    .filter((name) => !line.startsWith(name));
  return first === undefined || others.length === 0 ? first : `${first} +${others.length}`;
}

/** Wraps the names and records each lookup. */
function listening(source: RowTextSource, uses: Use[]): Names {
  const asked = (of: Use["of"]) => (id: string) => {
    const name = source[of](id);
    uses.push({ of, id, name });
    return name;
  };
  return { ...source, variable: asked("variable"), group: asked("group"), bot: asked("bot") };
}

function isStillSo(uses: readonly Use[], source: RowTextSource): boolean {
  return uses.every(({ of, id, name }) => source[of](id) === name);
}

function folded(text: string): string {
  return text
    .slice(0, mostLetters * 2)
    .replaceAll(/\s+/g, " ")
    .trim()
    .slice(0, mostLetters);
}
