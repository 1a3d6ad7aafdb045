import { LRUCache } from "lru-cache";
import { limits } from "../../limits/index.ts";
import type { Sql } from "../../platform/database/sql.ts";
import { answerMarks } from "../counts/answer-marks.ts";
import { cutKey, type Naming, type ResultList } from "./result-search.sql.ts";
import { type FlowPlace, listFlowVariables, listNamesOfResults, listVersions } from "./variable-names.sql.ts";

/** A variable of a draft or of a publication. */
export type NamedVariable = { readonly id: string; readonly name: string };

/**
 * The variables that a bot has or had. An id has several names if the variable was renamed. A name has several ids if a
 * variable was deleted and created again.
 */
export type VariableHistory = {
  readonly draft: readonly NamedVariable[];
  readonly all: readonly NamedVariable[];
};

/** Cached by flow, because a stored flow never changes. The variables of a flow with 50 variables take about 5 kB. */
const ofFlows = new LRUCache<string, readonly NamedVariable[]>({ max: 5_000 });

const noHistory: VariableHistory = { draft: [], all: [] };

/** Returns the variables of these bots' drafts and of all their publications. */
export async function readHistories(
  sql: Sql,
  botIds: readonly string[],
): Promise<ReadonlyMap<string, VariableHistory>> {
  const versions = await listVersions(sql, botIds);
  const flows = versions.flatMap(({ botId, flowHashes }) => flowHashes.map((hash) => ({ botId, hash })));
  const found = await readFlows(sql, flows);
  return new Map(
    versions.map(({ botId, variables, flowHashes }) => {
      const draft = variablesIn(variables);
      const published = flowHashes.flatMap((hash) => found.get(keyOf({ botId, hash })) ?? []);
      return [botId, { draft, all: distinct([...draft, ...published]) }];
    }),
  );
}

/** Flows are read in batches, because a flow may be as large as ten megabytes. */
const flowsAtOnce = 50;

/** Returns the variables of all these flows by their keys, even if there are more flows than the cache holds. */
async function readFlows(
  sql: Sql,
  flows: readonly FlowPlace[],
): Promise<ReadonlyMap<string, readonly NamedVariable[]>> {
  const found = new Map<string, readonly NamedVariable[]>();
  const unknown: FlowPlace[] = [];
  for (const flow of flows) {
    const known = ofFlows.get(keyOf(flow));
    if (known) found.set(keyOf(flow), known);
    else unknown.push(flow);
  }
  for (let at = 0; at < unknown.length; at += flowsAtOnce) {
    for (const { variables, ...flow } of await listFlowVariables(sql, unknown.slice(at, at + flowsAtOnce))) {
      const read = variablesIn(variables);
      ofFlows.set(keyOf(flow), read);
      found.set(keyOf(flow), read);
    }
  }
  return found;
}

function keyOf({ botId, hash }: FlowPlace): string {
  return `${botId}:${hash}`;
}

function variablesIn(stored: unknown): readonly NamedVariable[] {
  return (Array.isArray(stored) ? stored : []).flatMap((variable) => {
    const { id, name }: { id?: unknown; name?: unknown } = Object(variable);
    return typeof id === "string" && typeof name === "string" ? [{ id, name }] : [];
  });
}

function distinct(variables: readonly NamedVariable[]): readonly NamedVariable[] {
  return [...new Map(variables.map((variable) => [JSON.stringify([variable.id, variable.name]), variable])).values()];
}

/** A variable that a name refers to, with every name that the variable had. */
export type MeantVariable = { readonly id: string; readonly names: readonly string[] };

/** Returns the variables of a bot that have or had this name. */
function variablesNamed({ all }: VariableHistory, name: string): readonly MeantVariable[] {
  const ids = new Set(all.filter((variable) => variable.name === name).map(({ id }) => id));
  return [...ids].map((id) => ({ id, names: namesOf(all, new Set([id])) }));
}

/**
 * Returns the variables that a name means in a filter: the draft's variables with this name, and former variables that
 * had this name and are no longer in the draft. If no variable of the draft has this name, it means every variable that
 * ever had it.
 */
function filterNaming({ draft, all }: VariableHistory, name: string): Naming {
  const ids = variablesNamed({ draft, all }, name).map(({ id }) => id);
  const columns = new Set(draft.filter((variable) => variable.name === name).map(({ id }) => id));
  if (columns.size === 0) return namingOf(all, { name, ids });
  const others = new Set(draft.map(({ id }) => id));
  return namingOf(all, { name, ids: ids.filter((id) => columns.has(id) || !others.has(id)) });
}

/**
 * Returns a function that finds what a name means in a bot when searching for a person: every variable that has or had
 * the name. This includes variables of other bots, because a linked flow may have set them. Two bots may know the same
 * id under different names. The id is included only if the bots share one of these names, or if this bot does not know
 * it.
 */
export function personNamings(
  histories: ReadonlyMap<string, VariableHistory>,
  name: string,
): (botId: string) => Naming {
  const named = [...histories.values()].flatMap((history) => variablesNamed(history, name));
  return (botId) => {
    const { all } = histories.get(botId) ?? noHistory;
    const meant = named.filter(({ id, names }) => {
      const own = namesOf(all, new Set([id]));
      return own.length === 0 || own.some((each) => names.includes(each));
    });
    const ids = [...new Set(meant.map(({ id }) => id))];
    const naming = namingOf(all, { name, ids, names: meant.flatMap(({ names }) => names) });
    const former = ids.map((id) => cutKey(answerMarks.former + id));
    return { ...naming, keys: [...naming.keys, ...former] };
  };
}

/** `all` contains the bot's own variables, and `names` contains names from other bots. */
function namingOf(
  all: readonly NamedVariable[],
  { name, ids, names: more = [] }: { name: string; ids: readonly string[]; names?: readonly string[] },
): Naming {
  const isMeant = new Set(ids);
  const names = [...new Set([name, ...namesOf(all, isMeant), ...more])];
  const isName = new Set(names);
  const others = all.filter((variable) => !isMeant.has(variable.id) && isName.has(variable.name));
  const keys = [...names, ...ids.map((id) => answerMarks.standing + id)].map(cutKey);
  return { ids, names, others: [...new Set(others.map(({ id }) => id))], keys: [...new Set(keys)] };
}

export function namesOf(all: readonly NamedVariable[], ids: ReadonlySet<string>): string[] {
  return [...new Set(all.filter(({ id }) => ids.has(id)).map(({ name }) => name))];
}

/**
 * Adds names that occur only in results, such as names from before the bot was imported. The entries under these names
 * have the id of a variable, and are checked by it.
 */
export async function withNamesOfResults(
  sql: Sql,
  { botId, naming, history = noHistory }: { botId: string; naming: Naming; history?: VariableHistory | undefined },
): Promise<Naming> {
  if (naming.ids.length === 0) return naming;
  const known = new Set(history.all.map(({ name }) => cutKey(name)));
  const found = await listNamesOfResults(sql, {
    botId,
    marks: Object.values(answerMarks),
    limit: limits.resultValues.namesPerBot,
  });
  const unknown = found.filter((name) => !known.has(name) && !naming.keys.includes(name));
  return unknown.length === 0 ? naming : { ...naming, keys: [...naming.keys, ...unknown], isChecked: true };
}

/** Returns the list with the current meaning of each variable's name in its filters. */
export async function withNamings(sql: Sql, list: ResultList): Promise<ResultList> {
  const { botId, filter } = list;
  if (!filter?.values) return list;
  const history = (await readHistories(sql, [botId])).get(botId) ?? noHistory;
  const values = [];
  for (const value of filter.values) {
    const naming = filterNaming(history, value.name);
    values.push({ ...value, by: await withNamesOfResults(sql, { botId, naming, history }) });
  }
  return { ...list, filter: { ...filter, values } };
}
