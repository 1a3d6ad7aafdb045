import { type Static, Type } from "@sinclair/typebox";
import { Value } from "@sinclair/typebox/value";
import type { DeferredCall } from "../../../core/interpreter/program/job.ts";
import type { FailureReason } from "../../../core/interpreter/program/outcome.ts";
import { deferredServices } from "../../../effects/deferred/index.ts";
import type { Google } from "../../../effects/google/google.ts";
import type { Providers } from "../../../effects/providers/provider-urls.ts";
import type { SafeFetch } from "../../../effects/safe-fetch/safe-fetch.ts";
import { limits } from "../../../limits/index.ts";
import { createBatcher } from "../../../platform/concurrency/batcher.ts";
import type { Sql } from "../../../platform/database/sql.ts";
import type { OutboxRow } from "../../../platform/queue/outbox.sql.ts";
import type { Handler, JobOutcome } from "../../../platform/queue/workers.ts";
import type { Secrets } from "../../../platform/secrets.ts";
import { credentialsOfStep } from "../credentials-of-step.ts";
import { closeContents, type FoundContent, findCalls, giveUpContent, type JobLog } from "./job-contents.sql.ts";

type CallParts = {
  readonly sql: Sql;
  readonly secrets: Secrets;
  readonly safeFetch: SafeFetch;
  readonly providers: Providers;
  readonly google: Google;
};

/** The job of a call. It contains only ids, and no content that people wrote. */
const CallJob = Type.Object({ callId: Type.String(), botId: Type.String() });
type CallJob = Static<typeof CallJob>;

/** Creates the job of a call in the outbox. */
export function callJob({ id, data }: OutboxRow): CallJob {
  return { callId: id, botId: data.botId };
}

type Call = FoundContent<DeferredCall>;

/**
 * Makes calls to services, each at least once and always with the same id, until they succeed or their retries end. The
 * log of each result records the outcome once. Calls with the same credentials that arrive from the queue together are
 * also sent together, but each call has its own retries. A call whose result was deleted or erased is not made.
 */
export function makeDeferredCalls(parts: CallParts): Handler {
  // A batch starts its calls without waiting for the responses, so that a slow service does not delay the next batch.
  const calls = createBatcher<Taken, { readonly ended: Promise<JobOutcome> }>({
    run: async (taken) => await startCalls(parts, taken),
    isTriedAlone: () => false,
    maxBatch: limits.deferredCalls.atOnce,
    inFlight: 1,
    maxWaiting: limits.deferredCalls.atOnce,
  });
  return async ({ data, isRepeated = false }) => {
    const { callId } = Value.Parse(CallJob, data);
    return await (await calls.add({ callId, isRepeated })).ended;
  };
}

type Taken = { readonly callId: string; readonly isRepeated: boolean };

async function startCalls(parts: CallParts, taken: readonly Taken[]): Promise<{ ended: Promise<JobOutcome> }[]> {
  const { sql } = parts;
  const ids = taken.map(({ callId }) => callId);
  const repeated = new Set(taken.flatMap(({ callId, isRepeated }) => (isRepeated ? [callId] : [])));
  const found = await findCalls(sql, ids);
  const isFound = new Set(found.map(({ id }) => id));
  const gone = ids.filter((id) => !isFound.has(id));
  // The relay may have stored the calls while their results were being erased, so their content is deleted.
  if (gone.length > 0) await closeContents(sql, "deferred_calls", gone, unsaid);
  const accounts = Map.groupBy(found, ({ workspaceId, content }) =>
    [workspaceId, content.type, content.credentialsId].join(" "),
  );
  const ends = new Map<string, Promise<JobOutcome>>();
  for (const calls of accounts.values()) {
    const all = deliverCalls(parts, calls, repeated);
    for (const [index, { id }] of calls.entries())
      ends.set(
        id,
        all.then((each) => each[index] ?? nothingToDo),
      );
  }
  return ids.map((id) => ({ ended: ends.get(id) ?? Promise.resolve(nothingToDo) }));
}

const nothingToDo: JobOutcome = {
  kind: "done",
  message: "Nothing to call: the service was already called, or the result was erased",
};

/** An erased result has no log, so nobody can read the entry. */
const unsaid: JobLog = { status: "success", description: "", context: "" };

/** Makes the calls of one account, and returns the outcome of each call. */
async function deliverCalls(
  parts: CallParts,
  calls: readonly Call[],
  repeated: ReadonlySet<string>,
): Promise<JobOutcome[]> {
  const { sql, secrets, safeFetch, providers, google } = parts;
  const [
    {
      content: { type, credentialsId },
      workspaceId,
    } = nowhere,
  ] = calls;
  const service = deferredServices.get(type);
  // The call is retried, because a node of a newer release may support the service. Such rows remain after a rollback
  // to an earlier release.
  if (!service)
    return calls.map(() => ({ kind: "failed", message: `This service cannot call ${type}`, isRetryable: true }));
  const givenUp = (call: Call, log: Omit<JobLog, "status" | "context">) => () =>
    giveUpContent(sql, "deferred_calls", call.id, { ...log, status: "error", context: service.context });
  const credentials = credentialsOfStep({ sql, secrets }, { workspaceId, isLive: true });
  const data = await credentials.find({ type, credentialsId });
  if (workspaceId === null || data === undefined || data === "unreadable") {
    const message = data === "unreadable" ? unreadable : `Could not find credentials for block ${type}`;
    const log = { description: message, reason: "credentials" satisfies FailureReason } as const;
    return calls.map((call) => ({ kind: "failed", message, isRetryable: false, onGivenUp: givenUp(call, log) }));
  }
  await credentials.noteUse({ credentialsId });
  const ends = await service.deliver(
    calls.map(({ id, content }) => ({ id, content: content.content, isRepeated: repeated.has(id) })),
    { safeFetch, providers, google, workspaceId, credentialsId, credentials: data },
  );
  const problem = ends.find((end) => end.kind === "failed" && keyRefusals.has(end.failure));
  if (problem?.kind === "failed") await credentials.noteProblem?.({ credentialsId, problem: problem.reason });
  const sent = Map.groupBy(calls, (_, index) => (ends[index]?.kind === "sent" ? ends[index].description : undefined));
  for (const [description, made] of sent) {
    if (description === undefined) continue;
    const log = { status: "success", description, context: service.context } as const;
    await closeContents(
      sql,
      "deferred_calls",
      made.map(({ id }) => id),
      log,
    );
  }
  return calls.map((call, index): JobOutcome => {
    const end = ends[index];
    if (!end) return { kind: "failed", message: "The service was not called", isRetryable: true };
    // The queue retains its messages when results are erased. The service's message, which may quote a visitor, is
    // therefore stored only in the result's log.
    if (end.kind === "sent") return { kind: "done", message: "Delivered to the service" };
    const { description, reason, isRetryable, failure } = end;
    const log = { description, details: reason, reason: failure };
    return { kind: "failed", message: `${description}: ${failure}`, isRetryable, onGivenUp: givenUp(call, log) };
  });
}

/** 403 is not included, because services return it if a valid key lacks a permission. */
const keyRefusals: ReadonlySet<FailureReason> = new Set(["credentials", "http.401"]);

const unreadable = "No key of this instance decrypts the credentials: enter them again";
const nowhere = { content: { type: "", credentialsId: "" }, workspaceId: null };
