import { blocks } from "../../core/blocks/index.ts";
import { flowOfOne } from "../../core/documents/one-block.ts";
import { referencesIn } from "../../core/editing/references/references.ts";
import type { StoredFlow } from "../../core/flow/document.ts";
import { type FlowBlock, isJsonObject, textAt, valueAt } from "../../core/interpreter/flow.ts";
import type { Effect, Report } from "../../core/interpreter/program/effect.ts";
import { mailsOf } from "../../core/interpreter/program/job.ts";
import type { StepLog } from "../../core/interpreter/program/outcome.ts";
import type { SessionState } from "../../core/interpreter/program/state.ts";
import type { EffectContext } from "../../effects/effect-context.ts";
import { perform } from "../../effects/index.ts";
import { type Hops, rootOf } from "../../effects/safe-fetch/hops.ts";
import { AppError } from "../../errors.ts";
import { limits } from "../../limits/index.ts";
import { type Caller, requireBot } from "../../management/access/access.ts";
import { findBot } from "../../management/bots/bots.sql.ts";
import { credentialsOfStep } from "../../management/credentials/credentials-of-step.ts";
import { secretsOfStep } from "../../management/credentials/secrets.ts";
import { modelUseOfStep } from "../../management/models/model-use-of-step.ts";
import { readClock } from "../../platform/database/clock.sql.ts";
import { invalidInput } from "../../platform/http/requests/invalid-input.ts";
import { newId } from "../../platform/ids.ts";
import { filesOfStep } from "../files/files-of-step.ts";
import { effectReads } from "../reads/effect-reads.ts";
import type { ChatDependencies } from "../steps/dependencies.ts";
import { type Performed, runStep, type WantedEffect } from "../steps/run-step.ts";
import { newSeed } from "../steps/session-source.ts";
import { answerOf, type Headers, namedValues, requestOf, type ShownRequest } from "./shown-call.ts";
import { addressOfAuthor, sendTried, withoutRecipients } from "./test-mail.ts";

type Value = string | readonly (string | null)[];

export type TestCallRequest = {
  readonly botId: string;
  readonly blockId: string;
  /** Values by variable name. */
  readonly variables: Readonly<Record<string, Value>>;
  /** Whether a block that changes data at the called service may run. */
  readonly mayWrite: boolean;
  readonly hops: Hops;
};

type Sent = { readonly request: ShownRequest; readonly effect: Effect; readonly report: Report };

/**
 * Makes the call of a draft's block. Returns the response and the variables that the block wrote. Runs a flow with only
 * this block, as in a preview, and stores nothing. If the block makes several calls, such as a model with tools, only
 * the last call is returned. Throws `block.writes` if the block changes data and `mayWrite` is false.
 */
export async function testCall(deps: ChatDependencies, caller: Caller, request: TestCallRequest) {
  const { botId, blockId, hops } = request;
  const { workspaceId } = await requireBot(deps, caller, botId, "write");
  const draft = await findBot(deps.sql, botId);
  if (!draft) throw new AppError("bot.not_found");
  const block = requireCallingBlock(draft, blockId);
  if (callingOf(block)?.writes && !request.mayWrite) throw new AppError("block.writes");
  const now = await readClock(deps.sql);
  // A mail is composed as in a live chat, but sent to its author.
  const address = callingOf(block)?.isMail ? await addressOfAuthor(deps, caller) : undefined;
  caller.place.end();
  const tried = address === undefined ? withoutClient(block) : withoutRecipients(block, address);
  const text = JSON.stringify(flowOfOne(draft, tried));
  const key = `${botId}:test:${newId()}`;
  const seed = newSeed();
  const sessionId = newId();
  let sent: Sent | undefined;
  let durationMs = 0;
  /** The headers of the last attempt. */
  let headers: Headers = [];
  const files = filesOfStep(deps, { id: sessionId, botId, resultId: null });
  const extraModelCalls = { left: limits.models.extraCalls };
  const performEffect = async ({ effect, timeLeftMs }: WantedEffect): Promise<Performed<never>> => {
    const context: EffectContext = {
      ...effectReads(deps.sql, sessionId),
      ...{ safeFetch: deps.safeFetch, safeStream: deps.safeStream, files, sessionId, extraModelCalls },
      ...{ providers: deps.providers, google: deps.google },
      credentials: credentialsOfStep(deps, { workspaceId, isLive: false }),
      models: modelUseOfStep(deps, { workspaceId, botId, resultId: null, sessionId, isNewChat: false, blockId }),
      secrets: secretsOfStep(deps, { workspaceId, seed }),
      hops: { count: hops.count + 1, workspaceId, root: hops.root ?? rootOf({ id: sessionId, revision: 0 }) },
      previewedBy: caller.userId,
      idempotencyKey: newId(),
      timeLeftMs: timeLeftMs(),
      onHeaders(came) {
        headers = came;
      },
    };
    const begun = deps.clock.now();
    const report = await perform(effect, context);
    durationMs += Math.round(deps.clock.now() - begun);
    const shown = requestOf(effect);
    if (shown) sent = { request: shown, effect, report };
    return { report };
  };
  const step = await runStep(
    deps,
    {
      program: { key, botId },
      programs: [],
      context: { now: now.getTime(), seed, isLive: address !== undefined, contentFormat: "richText" },
      input: {
        kind: "start",
        resultId: address === undefined ? null : sessionId,
        isStreamEnabled: false,
        isOnlyRegistering: false,
        reply: null,
        options: { prefilledVariables: variablesFor(draft, block, request.variables) },
      },
    },
    { workspaceId, isAnonymous: false, suppliedFlow: { key, text }, performEffect },
  );
  const [mail] = mailsOf(step.jobs);
  if (mail && address !== undefined) return sendTried(deps, { mail, address, workspaceId });
  if (!sent) throw noCall(block, step.logs);
  const { effect, report } = sent;
  return {
    request: sent.request,
    ...answerOf(effect, report, deps.config),
    // If the last attempt got no response, the headers of earlier attempts are omitted.
    headers: "text" in report ? namedValues(headers) : [],
    durationMs,
    variables: writtenBy(block, draft, JSON.parse(step.state)),
    logs: step.logs.flatMap(({ status = "error", description, details = null }) =>
      status === "success" ? [] : [{ status, description, details }],
    ),
  };
}

/** Finds a block by its id. Throws `block.not_found` if the block does not exist or its type makes no calls. */
export function requireCallingBlock(flow: Pick<StoredFlow, "groups">, blockId: string): FlowBlock {
  const block = flow.groups.flatMap(({ blocks }) => blocks ?? []).find(({ id }) => id === blockId);
  if (!block || !callingOf(block)) throw new AppError("block.not_found");
  return block;
}

function callingOf(block: FlowBlock) {
  return blocks.get(block.type)?.callsOut?.(block);
}

/** Returns the error for a block that made no call, with the first log entry as its reason. */
function noCall({ options }: FlowBlock, logs: readonly StepLog[]): AppError {
  const [why] = logs;
  if (!why && isJsonObject(options) && valueAt(options, "webhook", "url") === undefined) {
    return new AppError("block.no_address");
  }
  return new AppError(
    "block.no_call",
    why && { message: `With its current options, this block makes no call: ${why.description}.` },
  );
}

/** Returns the block with its request sent from the service, even if chats send the request from the client. */
function withoutClient(block: FlowBlock): FlowBlock {
  const { options } = block;
  return isJsonObject(options) && "isExecutedOnClient" in options
    ? { ...block, options: { ...options, isExecutedOnClient: false } }
    : block;
}

/**
 * Returns values by variable name: the block's test values, overridden by the given values. Throws if a given name is
 * not a variable of the draft.
 */
function variablesFor(
  { variables }: Pick<StoredFlow, "variables">,
  { options }: FlowBlock,
  given: TestCallRequest["variables"],
): Record<string, unknown> {
  const known = new Set(variables.map(({ name }) => name));
  const strange = Object.keys(given).filter((name) => !known.has(name));
  if (strange.length > 0) {
    const message = "is not a variable of this bot's draft";
    throw invalidInput(strange.map((name) => ({ path: `variables.${name}`, message })));
  }
  const kept = valueAt(options, "variablesForTest");
  const names = new Map(variables.map(({ id, name }) => [id, name]));
  const values = new Map<string, unknown>();
  for (const test of Array.isArray(kept) ? kept : []) {
    const name = names.get(textAt(test, "variableId") ?? "");
    const value = textAt(test, "value");
    if (name !== undefined && value !== undefined) values.set(name, value);
  }
  for (const [name, value] of Object.entries(given)) values.set(name, value);
  return Object.fromEntries(values);
}

/** Returns the values of the variables that the block may write. */
function writtenBy(block: FlowBlock, { variables }: Pick<StoredFlow, "variables">, { queue }: SessionState) {
  const written = new Map(queue[0]?.written.map(([id, value]) => [id, value]));
  const mapped = new Set(
    referencesIn(block).flatMap(({ to, how, value, path }) =>
      to === "variable" && how === "write" && path[1] !== "variablesForTest" ? [value] : [],
    ),
  );
  return variables
    .filter(({ id }) => mapped.has(id))
    .map(({ id, name }) => ({ id, name, value: written.get(id) ?? null }));
}
