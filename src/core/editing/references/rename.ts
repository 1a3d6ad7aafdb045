import type { Change, DraftDocument } from "../changes/change.ts";
import { openDraft } from "../changes/open-draft.ts";
import { naming } from "../changes/things.ts";
import { isCodeAt, namesIn, type Use, usesOfVariable } from "./references.ts";

/**
 * Returns the changes that rename a variable. Mentions in texts, conditions and code are also changed, unless another
 * variable has the same name.
 */
export function renameVariable(draft: DraftDocument, variableId: string, name: string): Change[] {
  const variable = draft.variables.find(({ id }) => id === variableId);
  if (!variable || variable.name === name) return [];
  const uses = usesOfVariable(draft, variableId).filter(({ to }) => to === "name");
  return [
    { op: "set", of: "variable", id: variableId, path: ["name"], value: name },
    ...rewriteTexts(draft, uses, { from: variable.name, to: name }),
  ];
}

/**
 * Returns the changes that merge two variables: references to `from` are changed to `into`, and the variable `from` is
 * removed. Mentions by name are only changed if no other variable has the name of `from`.
 */
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

/** Returns the text with a variable's name replaced in every reference. */
export function renameInText(text: string, { from, to }: { from: string; to: string }, isCode: boolean): string {
  let renamed = text;
  const spans = namesIn(text, isCode).filter(({ inner }) => inner === from);
  // Replacing starts at the end of the text so that earlier positions stay valid.
  for (const { start, end } of spans.sort((a, b) => b.start - a.start)) {
    renamed = renamed.slice(0, start) + to + renamed.slice(end);
  }
  return renamed;
}

function rewriteTexts(draft: DraftDocument, uses: readonly Use[], names: { from: string; to: string }): Change[] {
  const open = openDraft(draft);
  const changes = new Map<string, Change>();
  for (const { target, path } of uses) {
    const place = JSON.stringify([target, path]);
    const text = open.read(target, path);
    const whole = open.find(target.of === "item" ? naming({ of: "block", id: target.in }) : target);
    if (!whole || typeof text !== "string" || changes.has(place)) continue;
    changes.set(place, { op: "set", ...target, path, value: renameInText(text, names, isCodeAt(whole, path)) });
  }
  return [...changes.values()];
}
