import type { Change, DraftDocument } from "../../../core/editing/changes/change.ts";
import { isOfList, placeOf } from "../../../core/editing/changes/footprint.ts";
import { idOf } from "../../../core/editing/changes/things.ts";
import { readEnvelopes, readFlowParts } from "../../../core/flow/check.ts";
import { completeFlow } from "../../../core/flow/complete.ts";
import { settingsFromDialect } from "../../../core/flow/dialect.ts";
import { isJsonObject, type JsonObject } from "../../../core/interpreter/flow.ts";
import { AppError } from "../../../errors.ts";
import { type Issue, invalidInput } from "../../../platform/http/requests/invalid-input.ts";
import type { BotFieldChanges } from "../bots.sql.ts";
import type { StoredDraft } from "../draft-edits.sql.ts";
import { readEditor } from "./draft-edits.ts";

/**
 * Returns the stored draft with the changes applied, and its changed columns. Changed parts are validated as in a
 * PATCH. Unchanged parts are not validated, because they may be older than the current schemas. Throws
 * `request.invalid` with paths that contain ids, such as `blocks.<id>.options.labels.button`.
 */
export function readChanged(
  before: DraftDocument,
  document: JsonObject,
  changes: readonly Change[],
): { readonly draft: StoredDraft; readonly columns: BotFieldChanges } {
  const touched = touchedParts(document, changes);
  byIds(touched, () => readFlowParts(touched, "bot"));
  const flow = completeFlow(byIds(document, () => readEnvelopes(document, "bot")));
  const isChanged = (key: keyof DraftDocument) => document[key] !== before[key];
  const editor = isChanged("editor") ? readEditor(document["editor"], "editor") : (before.editor ?? null);
  const draft = { ...flow, settings: settingsFromDialect("bot", flow.settings), editor };
  const { version, events, groups, edges, variables, theme, settings } = draft;
  return {
    draft,
    columns: {
      ...(isChanged("version") && { version }),
      ...(isChanged("events") && { events }),
      ...(isChanged("groups") && { groups }),
      ...(isChanged("edges") && { edges }),
      ...(isChanged("variables") && { variables }),
      ...(isChanged("theme") && { theme }),
      ...(isChanged("settings") && { settings }),
      ...(isChanged("editor") && { editor }),
    },
  };
}

function touchedParts(document: JsonObject, changes: readonly Change[]): JsonObject {
  const touched = new Map<string, Set<string>>();
  const touch = (of: string, id: string | undefined) => {
    if (!touched.has(of)) touched.set(of, new Set());
    if (id !== undefined) touched.get(of)?.add(id);
  };
  for (const change of changes) {
    if ((change.op === "set" || change.op === "edit") && (change.of === "bot" || isOfList(placeOf(change)))) {
      const { editor: _, ...whole } = document;
      return whole;
    }
    if (change.op === "remove" || change.op === "move") continue;
    if (change.of === "item") touch("block", change.in);
    else touch(change.of, change.op === "add" ? idOf(change.value) : change.id);
    // The blocks of an added group are changed too.
    if (change.of === "group" && change.op === "add") {
      for (const block of entriesOf(change.value["blocks"])) touch("block", idOf(block));
    }
  }
  const groups = entriesOf(document["groups"]).flatMap((group) => touchedGroup(group, touched));
  return {
    ...Object.fromEntries(
      (["event", "edge", "variable"] as const).flatMap((of) => {
        const ids = touched.get(of);
        return ids ? [[`${of}s`, entriesOf(document[`${of}s`]).filter((entry) => ids.has(idOf(entry) ?? ""))]] : [];
      }),
    ),
    ...(groups.length > 0 && { groups }),
    ...(touched.has("theme") && { theme: document["theme"] }),
    ...(touched.has("settings") && { settings: document["settings"] }),
  };
}

function touchedGroup(group: unknown, touched: ReadonlyMap<string, ReadonlySet<string>>): unknown[] {
  if (!isJsonObject(group)) return [group];
  const blocks = entriesOf(group["blocks"]).filter((block) => touched.get("block")?.has(idOf(block) ?? ""));
  if (blocks.length === 0 && !touched.get("group")?.has(idOf(group) ?? "")) return [];
  return [Array.isArray(group["blocks"]) ? { ...group, blocks } : group];
}

/** Reads a flow. Errors identify invalid parts by ids instead of positions. */
function byIds<Value>(document: JsonObject, read: () => Value): Value {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== "request.invalid") throw error;
    throw invalidInput(issuesOf(error).map(({ path, message }) => ({ path: pathById(document, path), message })));
  }
}

function issuesOf({ data }: AppError): Issue[] {
  return entriesOf(data?.["issues"]).flatMap((issue) => {
    const { path, message } = isJsonObject(issue) ? issue : {};
    return typeof path === "string" && typeof message === "string" ? [{ path, message }] : [];
  });
}

const positions = /^bot\.(events|groups|edges|variables)\[(\d+)\](?:\.blocks\[(\d+)\])?/;

function pathById(document: JsonObject, path: string): string {
  const [matched, list = "", position, block] = positions.exec(path) ?? [];
  if (matched === undefined) return path.replace(/^bot\./, "");
  const thing = entriesOf(document[list])[Number(position)];
  const inner = block === undefined || !isJsonObject(thing) ? undefined : entriesOf(thing["blocks"])[Number(block)];
  const rest = path.slice(matched.length);
  return inner === undefined ? `${list}.${idOf(thing) ?? position}${rest}` : `blocks.${idOf(inner) ?? block}${rest}`;
}

function entriesOf(list: unknown): readonly unknown[] {
  return Array.isArray(list) ? list : [];
}
