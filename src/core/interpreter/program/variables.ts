import { codeNameOf } from "../language/code-names.ts";
import { mentionsInLiterals } from "../language/literals.ts";
import type { VariableReader } from "../language/template.ts";
import { normalise, type Value } from "../language/values.ts";
import type { Program } from "./program.ts";
import type { WrittenVariable } from "./state.ts";

export type Write = { readonly variableId: string; readonly value: unknown };

/**
 * The variables of one flow under way: first those not written yet, in the order of the document, then those written, in the
 * order of writing. The order decides which of two variables with one name is read. Only written ones are stored.
 */
export type Variables = VariableReader & {
  has(id: string): boolean;
  /** The name of a variable; empty for an unknown one. */
  nameOf(id: string): string;
  /** Those with a value, in order. */
  filled(): FilledVariable[];
  /** Writes normalised values; unknown ids are ignored. */
  write(writes: readonly Write[]): void;
  /** Adds a variable that the flow does not know. */
  add(variable: { id: string; name: string; value: Value }): void;
  entries(): WrittenVariable[];
  /** The length of everything that was written. */
  characters(): number;
};

export type FilledVariable = { readonly id: string; readonly name: string; readonly value: string | (string | null)[] };

export function createVariables(program: Program, written: readonly WrittenVariable[]): Variables {
  const known = program.variables;
  const values = new Map<string, Value>();
  const added = new Map<string, string>();
  let characters = 0;
  for (const [id, value, name] of written) {
    values.set(id, value);
    characters += lengthOf(value);
    if (name !== undefined) added.set(id, name);
  }

  const get = (id: string): Value => {
    const value = values.get(id);
    return value === undefined ? (known.byId.get(id)?.value ?? null) : value;
  };
  const has = (id: string): boolean => known.byId.has(id) || added.has(id);
  const nameOf = (id: string): string => known.byId.get(id)?.name ?? added.get(id) ?? "";
  const set = (id: string, value: Value): void => {
    characters += lengthOf(value) - lengthOf(values.get(id) ?? null);
    values.delete(id);
    values.set(id, value);
  };

  function* all(): Iterable<readonly [string, Value]> {
    for (const variable of known.list) if (!values.has(variable.id)) yield [variable.id, variable.value];
    yield* values;
  }

  return {
    get,
    has,
    nameOf,
    all,
    byName(name) {
      const namesakes = known.byName.get(name);
      if (namesakes?.length === 1 && added.size === 0) return get(namesakes[0]?.id ?? "") ?? undefined;
      for (const variable of namesakes ?? []) {
        if (!values.has(variable.id) && variable.value !== null && variable.value !== "") return variable.value;
      }
      if (namesakes === undefined && added.size === 0) return undefined;
      for (const [id, value] of values) if (value !== null && nameOf(id) === name) return value;
      return undefined;
    },
    idOf(name) {
      const namesakes = known.byName.get(name);
      const unwritten = namesakes?.find((variable) => !values.has(variable.id));
      if (unwritten) return unwritten.id;
      if (namesakes?.length === 1) return namesakes[0]?.id;
      for (const id of values.keys()) if (nameOf(id) === name) return id;
      return undefined;
    },
    codeName: (id) => (added.size === 0 ? (known.codeNames.get(id) ?? id) : codeNameOf(id, has)),
    inLiterals(code) {
      const cached = known.inLiterals.get(code);
      if (cached) return cached;
      const found = mentionsInLiterals(code);
      if (known.inLiterals.size < maxCachedCodes && code.length <= maxCachedCharacters)
        known.inLiterals.set(code, found);
      return found;
    },
    filled() {
      const list: FilledVariable[] = [];
      const push = (id: string, name: string, value: Value) => value !== null && list.push({ id, name, value });
      for (const variable of known.initial)
        if (!values.has(variable.id)) push(variable.id, variable.name, variable.value);
      for (const [id, value] of values) push(id, nameOf(id), value);
      return list;
    },
    write(writes) {
      for (const { variableId, value } of writes) if (has(variableId)) set(variableId, normalise(value));
    },
    add(variable) {
      added.set(variable.id, variable.name);
      set(variable.id, variable.value);
    },
    entries() {
      return [...values].map(([id, value]) => {
        const name = added.get(id);
        return name === undefined ? ([id, value] as const) : ([id, value, name] as const);
      });
    },
    characters: () => characters,
  };
}

function lengthOf(value: Value): number {
  if (!Array.isArray(value)) return value?.length ?? 0;
  return value.reduce((length, element) => length + (element?.length ?? 0) + charactersPerElement, 0);
}

// At most 10 MB beside each program, and most flows have fewer codes. The code of models' tools has values in it, so there is no end of those.
const maxCachedCodes = 1_000;
const maxCachedCharacters = 5_000;

// Quotes and a comma.
const charactersPerElement = 3;
