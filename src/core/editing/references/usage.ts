import type { FlowVariable } from "../../interpreter/flow.ts";
import type { DraftDocument } from "../changes/change.ts";
import { eachUse, type Use } from "./references.ts";

/** The uses of a variable, divided into writes and reads. */
export type Usage = { readonly written: readonly Use[]; readonly read: readonly Use[] };

/**
 * Several variables with the same name. Fields refer to each of these variables by id. `byName` contains the texts that
 * mention the shared name.
 */
export type Twins = {
  readonly name: string;
  readonly variables: readonly FlowVariable[];
  readonly byName: readonly Use[];
};

export const unused: Usage = { written: [], read: [] };

/**
 * Returns the uses of every variable by id, and the variables that share a name. Fields are matched by the variable's
 * id. Texts and code are matched by the variable's name, unless another variable has the same name.
 */
export function usageIn(draft: DraftDocument): {
  readonly usage: ReadonlyMap<string, Usage>;
  readonly twins: readonly Twins[];
} {
  const named = Map.groupBy(draft.variables, ({ name }) => name);
  const usage = new Map<string, { written: Use[]; read: Use[] }>();
  const byName = new Map<string, Use[]>();
  for (const use of eachUse(draft)) {
    if (use.to !== "variable" && use.to !== "name") continue;
    const alike = use.to === "name" ? (named.get(use.value) ?? []) : [];
    const id = use.to === "variable" ? use.value : alike.length === 1 ? alike[0]?.id : undefined;
    if (id !== undefined) add(usage, id, use);
    else if (alike.length > 1) byName.set(use.value, [...(byName.get(use.value) ?? []), use]);
  }
  const twins = [...named].flatMap(([name, variables]) =>
    variables.length > 1 ? [{ name, variables, byName: byName.get(name) ?? [] }] : [],
  );
  return { usage, twins };
}

function add(usage: Map<string, { written: Use[]; read: Use[] }>, id: string, use: Use): void {
  const known = usage.get(id) ?? { written: [], read: [] };
  usage.set(id, known);
  // Code may both set and read a variable, so every mention in code is reported as a read.
  (use.how === "write" ? known.written : known.read).push(use);
}
