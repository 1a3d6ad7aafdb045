import type { Change } from "../../../../core/editing/changes/change.ts";
import { usesOfVariable } from "../../../../core/editing/references/references.ts";
import { mergeVariables, renameVariable as rename } from "../../../../core/editing/references/rename.ts";
import type { Command } from "./command.ts";

/** Adds a variable. A caller that needs the id before the variable exists can set it with `id`. */
export const addVariable: Command<{ readonly name: string; readonly id?: string }> = {
  name: (words, { name }) => words.acts.addVariable({ name }),
  make(draft, { name, id }, { newId }) {
    if (name.trim() === "") return { refused: "noName" };
    if (draft.variables.some((variable) => variable.name === name)) return { refused: "nameTaken" };
    return { changes: [{ op: "add", of: "variable", value: { id: id ?? newId(), name } }] };
  },
};

/** Renames a variable, including its name in every text, condition and code that uses it. */
export const renameVariable: Command<{ readonly variableId: string; readonly name: string }> = {
  name: (words, { name }) => words.acts.renameVariable({ name }),
  make(draft, { variableId, name }) {
    if (name.trim() === "" || /[{}]/.test(name)) return { refused: "noName" };
    if (draft.variables.some((variable) => variable.name === name && variable.id !== variableId))
      return { refused: "nameTaken" };
    return { changes: rename(draft, variableId, name) };
  },
};

export const mergeVariable: Command<{ readonly from: string; readonly into: string }> = {
  name: (words, { into }, draft) =>
    words.acts.mergeVariable({ name: draft.variables.find(({ id }) => id === into)?.name ?? "" }),
  make: (draft, both) => ({ changes: mergeVariables(draft, both) }),
};

/** Removes a variable and every field that refers to its id. Texts keep the name, and the linter reports them. */
export const removeVariable: Command<{ readonly variableId: string }> = {
  name: (words, { variableId }, draft) =>
    words.acts.removeVariable({ name: draft.variables.find(({ id }) => id === variableId)?.name ?? "" }),
  make(draft, { variableId }) {
    const fields = usesOfVariable(draft, variableId).filter(({ to }) => to === "variable");
    const cleared = fields.map(({ target, path }): Change => ({ op: "set", ...target, path }));
    return { changes: [...cleared, { op: "remove", of: "variable", id: variableId }] };
  },
};

export const setInVariable: Command<{
  readonly variableId: string;
  readonly key: "isSessionVariable" | "isPrefillable" | "value";
  readonly value?: unknown;
}> = {
  name: (words, { variableId }, draft) =>
    words.acts.setVariable({ name: draft.variables.find(({ id }) => id === variableId)?.name ?? "" }),
  make(draft, { variableId, key, value }) {
    if (!draft.variables.some(({ id }) => id === variableId)) return { refused: "gone" };
    const set = { op: "set", of: "variable", id: variableId, path: [key] } as const;
    return { changes: [value === undefined ? set : { ...set, value }], field: `variable/${variableId}/${key}` };
  },
};
