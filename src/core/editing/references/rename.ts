import { isJsonObject, type JsonObject } from "../../interpreter/flow.ts";
import type { Change, DraftDocument, Path, Target } from "../changes/change.ts";
import { entriesOf, idOf, valueAtPath } from "../changes/things.ts";
import { isCodeAt, namesIn, type Use, usesOfVariable } from "./references.ts";

/** Gives a variable another name, also in every text, condition and code that refers to it by its name. */
export function renameVariable(draft: DraftDocument, variableId: string, name: string): Change[] {
  const variable = draft.variables.find(({ id }) => id === variableId);
  if (!variable || variable.name === name) return [];
  const uses = usesOfVariable(draft, variableId).filter(({ to }) => to === "name");
  return [
    { op: "set", of: "variable", id: variableId, path: ["name"], value: name },
    ...rewriteTexts(draft, uses, { from: variable.name, to: name }),
  ];
}

/** Merges one variable into another: references to the first then name the second, and the first is removed. */
export function mergeVariables(draft: DraftDocument, { from, into }: { from: string; into: string }): Change[] {
  const [gone, kept] = [from, into].map((id) => draft.variables.find((variable) => variable.id === id));
  if (!gone || !kept || gone === kept) return [];
  const uses = usesOfVariable(draft, from);
  const byId = uses
    .filter(({ to }) => to === "variable")
    .map(({ target, path }): Change => ({ op: "set", ...target, path, value: into }));
  const names = uses.filter(({ to }) => to === "name");
  return [
    ...byId,
    ...rewriteTexts(draft, names, { from: gone.name, to: kept.name }),
    { op: "remove", of: "variable", id: from },
  ];
}

/** A text with one variable's name replaced, wherever it refers to that variable. */
export function renameInText(text: string, { from, to }: { from: string; to: string }, isCode: boolean): string {
  let renamed = text;
  const spans = namesIn(text, isCode).filter(({ inner }) => inner === from);
  // From the end, so that earlier places stay valid.
  for (const { start, end } of spans.sort((a, b) => b.start - a.start)) {
    renamed = renamed.slice(0, start) + to + renamed.slice(end);
  }
  return renamed;
}

function rewriteTexts(draft: DraftDocument, uses: readonly Use[], names: { from: string; to: string }): Change[] {
  const things = thingsOf(draft, uses);
  const changes = new Map<string, Change>();
  for (const { target, path } of uses) {
    const place = JSON.stringify([target, path]);
    const found = things(target);
    const text = found && valueAtPath(found.thing, path);
    if (!found || typeof text !== "string" || changes.has(place)) continue;
    const value = renameInText(text, names, isCodeAt(found.whole, [...found.prefix, ...path]));
    changes.set(place, { op: "set", ...target, path, value });
  }
  return [...changes.values()];
}

type Found = { readonly thing: JsonObject; readonly whole: JsonObject; readonly prefix: Path };

/** Finds the things with a use in them, without searching the draft for each. */
function thingsOf(draft: DraftDocument, uses: readonly Use[]): (target: Target) => Found | undefined {
  const wanted = new Set(uses.map(({ target }) => (target.of === "item" ? target.in : target.id)));
  const blocks = new Map<string, JsonObject>();
  for (const list of [...entriesOf(draft.groups).map(blocksIn), entriesOf(draft.events)]) {
    for (const entry of list) {
      const id = idOf(entry);
      if (id !== undefined && wanted.has(id) && !blocks.has(id) && isJsonObject(entry)) blocks.set(id, entry);
    }
  }
  return ({ of, id, in: within }) => {
    if (of === "theme" || of === "settings") {
      const section = draft[of];
      return isJsonObject(section) ? { thing: section, whole: section, prefix: [] } : undefined;
    }
    const whole = blocks.get((of === "item" ? within : id) ?? "");
    if (!whole) return undefined;
    if (of !== "item") return { thing: whole, whole, prefix: [] };
    const item = entriesOf(whole["items"]).find((entry) => idOf(entry) === id);
    return isJsonObject(item) ? { thing: item, whole, prefix: ["items"] } : undefined;
  };
}

function blocksIn(group: unknown): readonly unknown[] {
  return isJsonObject(group) ? entriesOf(group["blocks"]) : [];
}
