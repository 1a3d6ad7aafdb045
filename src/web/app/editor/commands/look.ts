import type { DraftDocument } from "../../../../core/editing/changes/change.ts";
import { diff } from "../../../../core/editing/changes/diff.ts";
import { isJsonObject, type JsonObject } from "../../../../core/interpreter/flow.ts";
import { type Command, objectWith } from "./command.ts";

type Part = "theme" | "settings";

/** Sets a field of the theme or the settings. An undefined value removes the key. */
export const setInPart: Command<{
  readonly of: Part;
  readonly path: readonly (string | number)[];
  readonly value?: unknown;
  readonly title?: string | undefined;
}> = {
  name: (words, { title }) => words.acts.setOption({ field: title }),
  make(draft, { of, path, value }) {
    const before = partOf(draft, of);
    return {
      changes: changesOf(of, before, objectWith(before, path, value)),
      field: `${of}/${JSON.stringify(path)}`,
    };
  },
};

/** Replaces the whole theme. `from` is the name of the new theme, for the history. */
export const replaceTheme: Command<{ readonly theme: JsonObject; readonly from: string }> = {
  name: (words, { from }) => words.acts.replaceTheme({ from }),
  make: (draft, { theme }) => ({ changes: changesOf("theme", partOf(draft, "theme"), theme) }),
};

export function partOf(draft: DraftDocument, of: Part): JsonObject {
  const part: unknown = draft[of];
  return isJsonObject(part) ? part : {};
}

function changesOf(of: Part, before: JsonObject, after: JsonObject) {
  const bare: DraftDocument = { groups: [], edges: [], variables: [] };
  return diff({ ...bare, [of]: before }, { ...bare, [of]: after });
}
