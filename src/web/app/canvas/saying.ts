import { referencesIn } from "../../../editing/references.ts";
import { entriesOf } from "../../../editing/things.ts";
import { type JsonObject, textAt } from "../../../interpreter/flow.ts";
import type { BlockType } from "../forms/index.ts";
import type { Names } from "../forms/row.ts";
import { lineOfBlock, lineOfItem } from "../outline/says.ts";
import type { CardRow } from "./contract.ts";
import type { Saying } from "./geometry.ts";

/** As much of a text as two lines may hold. */
const mostLetters = 200;

export type SayingWords = {
  readonly otherwise: string;
  readonly failure: string;
  readonly untitled: string;
  readonly unknownType: string;
  readonly events: Readonly<Record<string, string>>;
};

export type SayingSource = {
  readonly types: ReadonlyMap<string, BlockType> | undefined;
  readonly words: SayingWords;
  /** The name of a variable and the title of a group, as they are now. */
  variable(id: string): string | undefined;
  group(id: string): string | undefined;
};

/** What rows say, and whether the names in it still hold. */
export type Sayings = Saying & {
  /** Whether what was said of a block is what would be said now. */
  isFresh(block: JsonObject): boolean;
};

type Use = { readonly of: "variable" | "group"; readonly id: string; readonly name: string | undefined };
type Said = Pick<CardRow, "text" | "isNameOnly" | "icon" | "variable">;
type Known = { readonly said: Said; readonly items: readonly string[]; readonly uses: readonly Use[] };

/** Reads each block once: as long as neither it nor a name in it changes, it says the same. */
export function createSayings(source: SayingSource): Sayings {
  const known = new WeakMap<JsonObject, Known>();
  const { types, words } = source;

  const read = (block: JsonObject): Known => {
    const found = known.get(block);
    if (found && isStillSo(found.uses, source)) return found;
    const uses: Use[] = [];
    const names = listening(source, uses);
    const list = entriesOf(block["items"]);
    const items = list.map((item) => folded(lineOfItem(block, item, types, names)));
    const made = { said: said(block, { source, names, hasItems: list.length > 0 }), items, uses };
    known.set(block, made);
    return made;
  };

  return {
    block: (block) => read(block).said,
    item: (block, item) => read(block).items[entriesOf(block["items"]).indexOf(item)] ?? "",
    event(event) {
      const type = textAt(event, "type") ?? "";
      const command = textAt(event, "options", "command");
      return command ? `/${command.replace(/^\//, "")}` : (words.events[type] ?? type);
    },
    otherwise: words.otherwise,
    failure: words.failure,
    untitled: words.untitled,
    isFresh(block) {
      const found = known.get(block);
      return found !== undefined && isStillSo(found.uses, source);
    },
  };
}

type Reading = { readonly source: SayingSource; readonly names: Names; readonly hasItems: boolean };

function said(block: JsonObject, { source: { types, words }, names, hasItems }: Reading): Said {
  const type = textAt(block, "type") ?? "";
  const known = types?.get(type);
  const icon = known?.editor.icon ?? "square-dashed";
  const name = known?.editor.name ?? (type === "" ? words.unknownType : type);
  // What a block with items says are its items, which stand below it.
  const line = hasItems ? "" : folded(lineOfBlock(block, types, names));
  const variable = writtenBy(block, names);
  const isSaid = variable === undefined || line.includes(variable);
  return {
    icon,
    text: line === "" ? name : line,
    ...(line === "" && { isNameOnly: true }),
    ...(!isSaid && { variable }),
  };
}

function writtenBy(block: JsonObject, names: Names): string | undefined {
  const ids = new Set(
    referencesIn(block).flatMap(({ to, how, value }) => (to === "variable" && how === "write" ? [value] : [])),
  );
  const written = [...ids].flatMap((id) => names.variable(id) ?? []);
  const [first, ...others] = written;
  return first === undefined || others.length === 0 ? first : `${first} +${others.length}`;
}

/** Names that write down what was asked for. */
function listening(source: SayingSource, uses: Use[]): Names {
  const asked = (of: Use["of"]) => (id: string) => {
    const name = source[of](id);
    uses.push({ of, id, name });
    return name;
  };
  return { variable: asked("variable"), group: asked("group"), bot: () => undefined };
}

function isStillSo(uses: readonly Use[], source: SayingSource): boolean {
  return uses.every(({ of, id, name }) => source[of](id) === name);
}

function folded(text: string): string {
  return text
    .slice(0, mostLetters * 2)
    .replaceAll(/\s+/g, " ")
    .trim()
    .slice(0, mostLetters);
}
