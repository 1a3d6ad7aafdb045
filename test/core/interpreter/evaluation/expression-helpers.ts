import { type CodeView, evaluateInline } from "../../../../src/core/interpreter/evaluation/expression.ts";
import { codeNameOf } from "../../../../src/core/interpreter/language/code-names.ts";
import { mentionsInLiterals } from "../../../../src/core/interpreter/language/literals.ts";
import type { RunScript } from "../../../../src/core/interpreter/language/script.ts";
import type { VariableReader } from "../../../../src/core/interpreter/language/template.ts";
import type { Value } from "../../../../src/core/interpreter/language/values.ts";
import type { ScriptCall } from "../../../../src/core/interpreter/program/view.ts";

export type TestVariable = { readonly id: string; readonly name: string; readonly value: Value };

/**
 * Creates variables by name. An id is `v` followed by the name without characters that an identifier cannot contain.
 */
export function variablesOf(values: Readonly<Record<string, Value>>): TestVariable[] {
  return Object.entries(values).map(([name, value]) => ({ id: `v${name.replaceAll(/\W/g, "")}`, name, value }));
}

export function readerOf(variables: readonly TestVariable[]): VariableReader {
  return {
    get: (id) => variables.find((variable) => variable.id === id)?.value ?? null,
    byName: (name) => variables.find((variable) => variable.name === name && variable.value !== null)?.value,
    idOf: (name) => variables.find((variable) => variable.name === name)?.id,
    codeName: (id) => codeNameOf(id, (name) => variables.some((variable) => variable.id === name)),
    inLiterals: mentionsInLiterals,
    all: () => variables.map(({ id, value }) => [id, value] as const),
  };
}

/** Returns a view of a step with the variables, and the calls of its sandbox. */
export function viewOf(
  sandbox: RunScript,
  variables: readonly TestVariable[],
): CodeView & { readonly calls: ScriptCall[] } {
  const calls: ScriptCall[] = [];
  const reader = readerOf(variables);
  const runScript: CodeView["runScript"] = (call) => {
    calls.push(call);
    return sandbox({ ...call, now: 0, seed: "0".repeat(32), maxTicks: 20_000_000 });
  };
  const templates = { variables: reader, evaluate: (code: string) => evaluateInline(code, reader, runScript) };
  return { variables: reader, templates, requestTemplates: templates, runScript, calls };
}
