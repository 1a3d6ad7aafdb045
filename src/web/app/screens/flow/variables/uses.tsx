import { entriesOf, idOf } from "../../../../../core/editing/changes/things.ts";
import type { Use } from "../../../../../core/editing/references/references.ts";
import { textAt } from "../../../../../core/interpreter/flow.ts";
import type { OpenBot } from "../../../editor/index.ts";
import { lineOfBlock, lineOfItem } from "../../../forms/block-line.ts";
import { type BlockType, useBlockTypes } from "../../../forms/reading.ts";
import findWords from "../../../words/en/find.json";
import variableWords from "../../../words/en/variable.json";
import { useWords } from "../../../words/index.ts";
import { placeName, selectPlace } from "../find/places.ts";

/** A field that uses a variable at least once. */
export type UsedPlace = { readonly key: string; readonly name: string; readonly use: Use };

export type UsesProps = {
  readonly bot: OpenBot;
  readonly places: readonly UsedPlace[];
  /** If absent, the uses cannot be pressed. */
  readonly onGo?: () => void;
};

/** The maximum number of rendered uses. */
const mostShown = 20;

/**
 * Returns the fields that use the variable, named by group, block and field. If several names are equal, the block's
 * text is added.
 */
export function useUsedPlaces({ editor }: OpenBot, uses: readonly Use[]): readonly UsedPlace[] {
  const places = useWords(findWords);
  const types = useBlockTypes();
  const all = new Map<string, UsedPlace>();
  for (const use of uses) {
    const name = placeName(placeOf(use), editor, { types, schemas: undefined }, places);
    const key = `${use.target.in ?? ""} ${use.target.id ?? use.target.of} ${name}`;
    if (!all.has(key)) all.set(key, { key, name, use });
  }
  const found = [...all.values()];
  const byName = Map.groupBy(found, ({ name }) => name);
  return found.map((place) => {
    const text = byName.get(place.name)?.length === 1 ? "" : textOf(place.use, editor, types);
    return text === "" ? place : { ...place, name: `${place.name} · ${text}` };
  });
}

/** Returns the text of the block or item that uses the variable. */
function textOf(
  { target }: Use,
  { store }: OpenBot["editor"],
  types: ReadonlyMap<string, BlockType> | undefined,
): string {
  const block = store.find.block((target.of === "item" ? target.in : target.id) ?? "")?.block;
  if (!block) return "";
  const names = {
    variable: (id: string) => store.variables.value.find((one) => one.id === id)?.name,
    group: (id: string) => textAt(store.find.group(id), "title"),
    bot: () => undefined,
  };
  if (target.of === "block") return lineOfBlock(block, types, names);
  return lineOfItem(
    block,
    entriesOf(block["items"]).find((item) => idOf(item) === target.id),
    types,
    names,
  );
}

/** Lists the fields that use a variable. A press selects the field's object. */
export function Uses({ bot, places, onGo }: UsesProps) {
  const words = useWords(variableWords);
  const shown = places.slice(0, mostShown);
  return (
    <ul class="variable-uses">
      {shown.map(({ key, name, use }) => (
        <li key={key}>
          {onGo ? (
            <button
              type="button"
              class="variable-use"
              onClick={() => {
                selectPlace(bot.editor, use.target);
                onGo();
              }}
            >
              {name}
            </button>
          ) : (
            name
          )}
        </li>
      ))}
      {places.length > shown.length && (
        <li class="variable-muted">{words.more({ count: places.length - shown.length })}</li>
      )}
    </ul>
  );
}

function placeOf({ target, path }: Use) {
  return {
    target: target.of === "item" || target.of === "block" || target.of === "event" ? target : { of: target.of },
    path,
  };
}
