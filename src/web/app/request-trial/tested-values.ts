import { referencesIn } from "../../../core/editing/references/references.ts";
import { type JsonObject, textAt, valueAt } from "../../../core/interpreter/flow.ts";

type Variable = { readonly id: string; readonly name: string };

/** Options that refer to variables but are not sent: mappings of the response, and test values. */
const unsent: ReadonlySet<unknown> = new Set(["responseVariableMapping", "responseMapping", "variablesForTest"]);

/**
 * Returns the variables that the request needs because its options refer to them. For an HTTP block, these options are
 * its URL, headers, parameters and body.
 */
export function variablesOf(block: JsonObject, variables: readonly Variable[]): readonly Variable[] {
  const isRequest = valueAt(block, "options", "webhook") !== undefined;
  const sent = referencesIn(block).filter(({ path }) => (isRequest ? path[1] === "webhook" : !unsent.has(path[1])));
  const names = new Set(sent.flatMap(({ to, value }) => (to === "name" ? [value.trim()] : [])));
  const ids = new Set(sent.flatMap(({ to, how, value }) => (to === "variable" && how === "read" ? [value] : [])));
  return variables.filter(
    ({ id, name }, index) =>
      (names.has(name) || ids.has(id)) && variables.findIndex((one) => one.name === name) === index,
  );
}

/** Returns the test values that the block stores, by variable name. */
export function keptValues(block: JsonObject, variables: readonly Variable[]): ReadonlyMap<string, string> {
  const kept = valueAt(block, "options", "variablesForTest");
  const entries = (Array.isArray(kept) ? kept : []).flatMap((one): [string, string][] => {
    const name = variables.find(({ id }) => id === textAt(one, "variableId"))?.name;
    const value = textAt(one, "value");
    return name === undefined || value === undefined ? [] : [[name, value]];
  });
  return new Map(entries);
}

/**
 * Returns the path and the list entry that map a value to a variable. The entry replaces an existing mapping of the
 * value or is added to the list.
 */
export function mappingFor(
  block: JsonObject,
  { variableId, bodyPath, newId }: { readonly variableId: string; readonly bodyPath: string; readonly newId: string },
): { readonly path: readonly (string | number)[]; readonly value: unknown } {
  const stored = valueAt(block, "options", "responseVariableMapping");
  const list: readonly unknown[] = Array.isArray(stored) ? stored : [];
  const at = ["options", "responseVariableMapping"];
  const known = list.findIndex((one) => textAt(one, "bodyPath") === bodyPath);
  if (known >= 0) return { path: [...at, known, "variableId"], value: variableId };
  return { path: at, value: [...list, { id: newId, variableId, bodyPath }] };
}
