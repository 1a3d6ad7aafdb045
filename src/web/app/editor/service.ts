import type { ChangeSet, DraftDocument, Path } from "../../../core/editing/changes/change.ts";
import type { LineEnd, Segment } from "../../../core/editing/text/content.ts";
import type { TextOp } from "../../../core/editing/text/ops.ts";
import { isJsonObject } from "../../../core/interpreter/flow.ts";
import { type Answer, ApiFailure, call, isRecord, issuesOf } from "../api/index.ts";
import { asDraft, type ReceivedSet } from "./working-copy/replica.ts";
import type { DraftAt, Read, Sent, Stop, Transport } from "./working-copy/transport.ts";

export type StoredBot = Answer<"GET /api/v1/bots/:botId">["bot"];

/** Returns the draft of a bot in the form that change sets describe. */
export function draftOf({ version, groups, events, edges, variables, theme, settings, editor }: Stored): DraftDocument {
  const flow = { version, groups, events, edges, variables, theme, settings };
  return asDraft({ ...flow, ...(isJsonObject(editor) && { editor }) });
}

type Stored = {
  readonly [Key in "version" | "groups" | "events" | "edges" | "variables" | "theme" | "settings" | "editor"]: unknown;
};

/**
 * A kind of change that earlier releases of this page do not support. The service sends such changes only to tabs that
 * declare support.
 */
export const knows = "edit" as const;

export function transportTo(botId: string): Transport {
  const path = { botId };
  return {
    async send(base, sets) {
      try {
        const body = { base, knows, changeSets: sets.map(asSent) };
        const { revision, others } = await call("POST /api/v1/bots/:botId/changes", { path, body });
        return { kind: "written", revision, others: others.map(asReceived) };
      } catch (error) {
        return refusalOf(failureIn(error));
      }
    },
    log: (after) =>
      read(async () => {
        const sets: ReceivedSet[] = [];
        for (let from = after; ; ) {
          const page = await call("GET /api/v1/bots/:botId/changes", { path, query: { after: from, knows } });
          sets.push(...page.changeSets.map(asReceived));
          const last = sets.at(-1)?.revision ?? after;
          if (page.changeSets.length === 0 || last >= page.revision) return sets;
          from = last;
        }
      }),
    draft: () => read(() => readDraft(botId)),
  };
}

async function readDraft(botId: string): Promise<DraftAt> {
  const { bot } = await call("GET /api/v1/bots/:botId", { path: { botId } });
  return { revision: bot.revision, draft: draftOf(bot) };
}

export function draftAt(botId: string, revision: number): Promise<Read<DraftAt>> {
  return read(async () => {
    const { draft } = await call("GET /api/v1/bots/:botId/history/:revision", {
      path: { botId, revision: String(revision) },
    });
    return { revision, draft: draftOf(draft) };
  });
}

async function read<Value>(load: () => Promise<Value>): Promise<Read<Value>> {
  try {
    return { kind: "read", value: await load() };
  } catch (error) {
    const failure = failureIn(error);
    if (failure.code === "revision.not_found") return { kind: "behind" };
    const why = stopOf(failure);
    return why ? { kind: "stopped", why } : lost(failure);
  }
}

function refusalOf(failure: ApiFailure): Sent {
  const { status, code, data, message } = failure;
  if (code === "bot.conflict") {
    const { others, conflicts } = isRecord(data) ? data : {};
    return {
      kind: "conflict",
      others: listOf(others).filter(isReceivedSet),
      conflicts: listOf(conflicts).filter(isConflict),
    };
  }
  const why = stopOf(failure);
  if (why) return { kind: "stopped", why };
  const isForGood = status >= 400 && status < 500 && ![408, 409, 425, 429].includes(status);
  if (!isForGood) return lost(failure);
  const issues = issuesOf(failure);
  return { kind: "refused", issues: issues.length > 0 ? issues : [{ path: "", message }] };
}

/** Returns the reason why saving must stop. Returns undefined if a retry or another change set may succeed. */
export function stopOf({ status, code }: ApiFailure): Stop | undefined {
  if (status === 401) return "signed-out";
  if (code === "bot.archived") return "archived";
  if (code === "workspace.suspended") return "suspended";
  if (status === 403) return "forbidden";
  if (code === "bot.not_found") return "gone";
  // A service that does not support this operation has a different version than this page.
  return status === 404 || status === 405 ? "outdated" : undefined;
}

function lost({ retryAfter }: ApiFailure): { kind: "lost"; retryAfterMs?: number } {
  return { kind: "lost", ...(retryAfter !== undefined && { retryAfterMs: retryAfter * 1_000 }) };
}

/** Returns the failure of a request. Any other error is a bug and is thrown again. */
function failureIn(error: unknown): ApiFailure {
  if (error instanceof ApiFailure) return error;
  throw error;
}

function asSent({ id, title, changes }: ChangeSet) {
  return {
    id,
    title,
    changes: changes.map((change) => {
      if (change.op === "edit") return { ...change, path: [...change.path], ops: change.ops.map(stepAsSent) };
      return change.op === "set" ? { ...change, path: [...change.path] } : change;
    }),
  };
}

function stepAsSent(step: TextOp) {
  if ("put" in step) return { put: typeof step.put === "string" ? step.put : step.put.map(segmentAsSent) };
  if (!("mark" in step)) return step;
  const { line, ...rest } = step;
  return line ? { ...rest, line: lineAsSent(line) } : rest;
}

function segmentAsSent(segment: Segment) {
  return "line" in segment ? { line: lineAsSent(segment.line) } : segment;
}

function lineAsSent({ in: around, ...rest }: LineEnd) {
  return { ...rest, ...(around && { in: [...around] }) };
}

/** Checks the form of a received change set, but not its changes. Throws an error if the value is not a change set. */
export function asReceived(set: unknown): ReceivedSet {
  if (isReceivedSet(set)) return set;
  throw new Error("The service sent a change set that this page cannot read");
}

function isReceivedSet(value: unknown): value is ReceivedSet {
  return (
    isRecord(value) &&
    typeof value["id"] === "string" &&
    typeof value["revision"] === "number" &&
    Array.isArray(value["changes"])
  );
}

function isConflict(value: unknown): value is { readonly path: Path } {
  return isRecord(value) && Array.isArray(value["path"]);
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
