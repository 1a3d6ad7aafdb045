import type { Use } from "../../../../../core/editing/references/references.ts";
import type { OpenBot } from "../../../editor/index.ts";
import { useBlockTypes } from "../../../forms/reading.ts";
import { findWords } from "../../../words/flow-find.ts";
import { variableWords } from "../../../words/flow-variables.ts";
import { useWords } from "../../../words/index.ts";
import { placeName, selectPlace } from "../find/places.ts";

export type UsesProps = {
  readonly bot: OpenBot;
  readonly uses: readonly Use[];
  /** Absent: they are only read. */
  readonly onGo?: () => void;
};

/** So many are drawn. */
const mostShown = 20;

/** The places where something is used, each by its group, block and field; pressed, it is selected. */
export function Uses({ bot, uses, onGo }: UsesProps) {
  const words = useWords(variableWords);
  const places = useWords(findWords);
  const types = useBlockTypes();
  const names = new Map<string, Use>();
  for (const use of uses) names.set(placeName(placeOf(use), bot.editor, { types, schemas: undefined }, places), use);
  const shown = [...names].slice(0, mostShown);
  return (
    <ul class="variable-uses">
      {shown.map(([name, use]) => (
        <li key={name}>
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
      {names.size > shown.length && <li class="variable-muted">{words.more(names.size - shown.length)}</li>}
    </ul>
  );
}

function placeOf({ target, path }: Use) {
  return {
    target: target.of === "item" || target.of === "block" || target.of === "event" ? target : { of: target.of },
    path,
  };
}
