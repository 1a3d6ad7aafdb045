import type { FilledVariable, VariableName } from "../interpreter/program/variables.ts";

/** A variable that has another value than before; null without one. */
export type VariableChange = VariableName & {
  readonly had: FilledVariable["value"] | null;
  readonly has: FilledVariable["value"] | null;
};

/** The variables that differ between two lists. One that was renamed is another one. */
export function changesOf(before: readonly FilledVariable[], after: readonly FilledVariable[]): VariableChange[] {
  const had = new Map(before.map((variable) => [keyOf(variable), variable]));
  const has = new Map(after.map((variable) => [keyOf(variable), variable]));
  const changes = [...new Map([...had, ...has])].map(([key, { id, name }]) => ({
    ...{ id, name },
    had: had.get(key)?.value ?? null,
    has: has.get(key)?.value ?? null,
  }));
  return changes.filter((change) => JSON.stringify(change.had) !== JSON.stringify(change.has));
}

function keyOf({ id, name }: FilledVariable): string {
  return JSON.stringify([id, name]);
}
