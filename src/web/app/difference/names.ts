import type { DraftDocument } from "../../../core/editing/changes/change.ts";
import { idOf, objectsIn } from "../../../core/editing/changes/things.ts";
import { referencesIn } from "../../../core/editing/references/references.ts";
import { type JsonObject, textAt } from "../../../core/interpreter/flow.ts";
import { type BlockType, type Names, rowText } from "../forms/reading.ts";
import { eachThing, type ThingChange } from "./thing-change.ts";

/** The names of a flow's objects, of other bots and of credentials, by their ids. */
export type AllNames = Names & {
  block(id: string): string | undefined;
  credentials(id: string): string | undefined;
};

/** The names of other bots and of credentials; empty until they are loaded. */
export type Around = {
  readonly bots: ReadonlyMap<string, OtherBot>;
  readonly credentials: ReadonlyMap<string, string>;
};

export type OtherBot = { readonly name: string; readonly groups: ReadonlyMap<string, string> };

export const nothingAround: Around = { bots: new Map(), credentials: new Map() };

export type NamesFor = {
  readonly types: ReadonlyMap<string, BlockType> | undefined;
  readonly around: Around;
  /** The title for a group without one. */
  readonly untitled: string;
};

/** Returns the names for a flow's ids. Each kind of name is collected at the first lookup. */
export function namesIn(
  draft: Pick<DraftDocument, "groups" | "variables">,
  { types, around, untitled }: NamesFor,
): AllNames {
  const variables = once(() => new Map(draft.variables.map(({ id, name }) => [id, name])));
  const groups = once(() => new Map(objectsIn(draft.groups).map((group) => [idOf(group), titleOf(group, untitled)])));
  const blocks = once(
    () =>
      new Map(objectsIn(draft.groups).flatMap((group) => objectsIn(group["blocks"]).map((one) => [idOf(one), one]))),
  );
  const names: AllNames = {
    variable: (id) => variables().get(id),
    group: (id) => groups().get(id) ?? groupElsewhere(id, around),
    bot: (id) => around.bots.get(id)?.name,
    block(id) {
      const block = blocks().get(id);
      return block && nameOfBlock(block, types, names);
    },
    credentials: (id) => around.credentials.get(id),
  };
  return names;
}

function nameOfBlock(block: JsonObject, types: NamesFor["types"], names: Names): string {
  const type = textAt(block, "type") ?? "";
  const known = types?.get(type);
  if (!known) return type;
  const says = rowText(known.editor.row, { schema: known.schema, value: block, names }).replaceAll(/\s+/g, " ");
  return says === ""
    ? known.editor.name
    : `${known.editor.name} “${says.length > 40 ? `${says.slice(0, 39)}…` : says}”`;
}

function titleOf(group: JsonObject, untitled: string): string {
  return textAt(group, "title") || untitled;
}

function groupElsewhere(id: string, { bots }: Around): string | undefined {
  for (const { groups } of bots.values()) {
    const title = groups.get(id);
    if (title !== undefined) return title;
  }
  return undefined;
}

/** Returns the other bots that the differences refer to, and whether they refer to credentials. */
export function namedAround(changed: readonly ThingChange[]): {
  readonly botIds: readonly string[];
  readonly hasCredentials: boolean;
} {
  const botIds = new Set<string>();
  let hasCredentials = false;
  for (const { of, before, after } of eachThing(changed)) {
    if (of !== "block") continue;
    for (const side of [before, after]) {
      for (const { to, value } of side ? referencesIn(side) : []) {
        if (to === "bot" && value !== "current") botIds.add(value);
        hasCredentials ||= to === "credentials";
      }
    }
  }
  return { botIds: [...botIds].slice(0, mostBots).toSorted(), hasCredentials };
}

/** The maximum number of bots to load, because each bot requires its own request. */
const mostBots = 40;

/** Returns the titles of a bot's groups by id. */
export function titlesIn(groups: unknown, untitled: string): ReadonlyMap<string, string> {
  return new Map(objectsIn(groups).map((group) => [idOf(group) ?? "", titleOf(group, untitled)]));
}

function once<Value>(make: () => Value): () => Value {
  let made: { readonly value: Value } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}
