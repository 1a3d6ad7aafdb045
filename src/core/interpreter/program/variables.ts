import { codeNameOf } from "../language/code-names.ts";
import { mentionsInLiterals } from "../language/literals.ts";
import type { VariableReader } from "../language/template.ts";
import { normalise, normaliseExact, type Value } from "../language/values.ts";
import type { Program, ProgramVariables } from "./program.ts";
import type { WrittenVariable } from "./state.ts";

/**
 * A value to write. `isExact`: whether a text is stored verbatim. This is needed for texts that were stored before, and
 * for models' answers, in which backslashes of formulas must not change.
 */
export type Write = { readonly variableId: string; readonly value: unknown; readonly isExact?: true };

/**
 * The variables of a running flow: first the variables that were not yet written, in document order, then the written
 * variables, in the order of writing. If several variables have the same name, the first of them that has a value is
 * read. Only written variables are stored.
 */
export type Variables = VariableReader & {
  has(id: string): boolean;
  /** Returns the name of a variable, or the empty text for an unknown variable. */
  nameOf(id: string): string;
  /** Returns the non-empty variables in order. */
  filled(): FilledVariable[];
  /** Writes values, which are normalised unless they are exact. Unknown ids are ignored. */
  write(writes: readonly Write[]): void;
  /**
   * Writes values, for example those of an earlier result, without marking the variables as set. Texts are stored
   * verbatim, and unknown ids are ignored.
   */
  restore(writes: readonly Write[]): void;
  /** Marks variables as set without changing their values or their order. */
  setAgain(ids: readonly string[]): void;
  /**
   * Returns the ids of the variables set since opening, together with the ids passed as `set`. Returns undefined if
   * there are none.
   */
  setIds(): ReadonlySet<string> | undefined;
  /** Adds a variable that is not in the flow. `isSet`: whether the variable counts as set. */
  add(variable: { id: string; name: string; value: Value; isSet?: boolean }): void;
  entries(): WrittenVariable[];
  /** Returns the total length of all written values. */
  characters(): number;
};

export type VariableName = { readonly id: string; readonly name: string };

export type FilledVariable = { readonly id: string; readonly name: string; readonly value: string | (string | null)[] };

/** Opens the variables of a flow. `set`: ids of variables that the same step has already set. */
export function createVariables(
  program: Program,
  written: readonly WrittenVariable[],
  set?: Iterable<string>,
): Variables {
  return new FlowVariables(program.variables, written, set);
}

/** A shared empty map for flows without added variables, which are nearly all flows. Must not be modified. */
const nothingAdded = new Map<string, string>();

/**
 * This is a class because each step creates an instance per flow. Creating a closure for each method would take a third
 * of the time for opening a step.
 */
class FlowVariables implements Variables {
  private readonly known: ProgramVariables;
  private readonly values = new Map<string, Value>();
  /** The names of variables that are not in the flow, by id. */
  private added = nothingAdded;
  private length = 0;
  private set: Set<string> | undefined;

  constructor(known: ProgramVariables, written: readonly WrittenVariable[], set?: Iterable<string>) {
    this.known = known;
    this.set = set && new Set(set);
    for (const [id, value, name] of written) {
      this.values.set(id, value);
      this.length += lengthOf(value);
      if (name !== undefined) this.name(id, name);
    }
  }

  get(id: string): Value {
    const value = this.values.get(id);
    return value === undefined ? (this.known.byId.get(id)?.value ?? null) : value;
  }

  has(id: string): boolean {
    return this.known.byId.has(id) || this.added.has(id);
  }

  nameOf(id: string): string {
    return this.known.byId.get(id)?.name ?? this.added.get(id) ?? "";
  }

  *all(): Iterable<readonly [string, Value]> {
    for (const variable of this.known.list) if (!this.values.has(variable.id)) yield [variable.id, variable.value];
    yield* this.values;
  }

  byName(name: string): Value | undefined {
    const { values, added } = this;
    const namesakes = this.known.byName.get(name);
    if (namesakes?.length === 1 && added.size === 0) return this.get(namesakes[0]?.id ?? "") ?? undefined;
    for (const variable of namesakes ?? []) {
      if (!values.has(variable.id) && variable.value !== null && variable.value !== "") return variable.value;
    }
    if (namesakes === undefined && added.size === 0) return undefined;
    for (const [id, value] of values) if (value !== null && this.nameOf(id) === name) return value;
    return undefined;
  }

  idOf(name: string): string | undefined {
    const namesakes = this.known.byName.get(name);
    const unwritten = namesakes?.find((variable) => !this.values.has(variable.id));
    if (unwritten) return unwritten.id;
    if (namesakes?.length === 1) return namesakes[0]?.id;
    for (const id of this.values.keys()) if (this.nameOf(id) === name) return id;
    return undefined;
  }

  codeName(id: string): string {
    return this.added.size === 0 ? (this.known.codeNames.get(id) ?? id) : codeNameOf(id, (other) => this.has(other));
  }

  inLiterals(code: string): ReadonlySet<number> {
    const { inLiterals } = this.known;
    const cached = inLiterals.get(code);
    if (cached) return cached;
    const found = mentionsInLiterals(code);
    if (inLiterals.size < maxCachedCodes && code.length <= maxCachedCharacters) inLiterals.set(code, found);
    return found;
  }

  filled(): FilledVariable[] {
    const list: FilledVariable[] = [];
    for (const { id, name, value } of this.known.initial)
      if (value !== null && !this.values.has(id)) list.push({ id, name, value });
    for (const [id, value] of this.values) if (value !== null) list.push({ id, name: this.nameOf(id), value });
    return list;
  }

  write(writes: readonly Write[]): void {
    for (const { variableId, value, isExact } of writes) {
      if (this.has(variableId)) this.change(variableId, isExact ? normaliseExact(value) : normalise(value));
    }
  }

  restore(writes: readonly Write[]): void {
    for (const { variableId, value } of writes) if (this.has(variableId)) this.put(variableId, normaliseExact(value));
  }

  setAgain(ids: readonly string[]): void {
    for (const id of ids) this.noteSet(id);
  }

  setIds(): ReadonlySet<string> | undefined {
    return this.set;
  }

  add({ id, name, value, isSet = false }: { id: string; name: string; value: Value; isSet?: boolean }): void {
    this.name(id, name);
    if (isSet) this.change(id, value);
    else this.put(id, value);
  }

  entries(): WrittenVariable[] {
    const list: WrittenVariable[] = [];
    for (const [id, value] of this.values) {
      const name = this.added.get(id);
      list.push(name === undefined ? [id, value] : [id, value, name]);
    }
    return list;
  }

  characters(): number {
    return this.length;
  }

  private name(id: string, name: string): void {
    if (this.added === nothingAdded) this.added = new Map();
    this.added.set(id, name);
  }

  private change(id: string, value: Value): void {
    this.noteSet(id);
    this.put(id, value);
  }

  private noteSet(id: string): void {
    this.set ??= new Set();
    this.set.add(id);
  }

  private put(id: string, value: Value): void {
    this.length += lengthOf(value) - lengthOf(this.values.get(id) ?? null);
    this.values.delete(id);
    this.values.set(id, value);
  }
}

function lengthOf(value: Value): number {
  if (!Array.isArray(value)) return value?.length ?? 0;
  return value.reduce((length, element) => length + (element?.length ?? 0) + charactersPerElement, 0);
}

// The cache holds at most 10 MB per program, and most flows have fewer code texts. The number of code texts is
// unbounded because the code of models' tools contains values.
const maxCachedCodes = 1_000;
const maxCachedCharacters = 5_000;

// The number of characters for the quotes and the comma of a JSON element.
const charactersPerElement = 3;
