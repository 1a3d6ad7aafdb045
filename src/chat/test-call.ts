import { flowOfOne } from "../core/documents/one-block.ts";
import type { StoredFlow } from "../core/flow/document.ts";
import { type FlowBlock, isJsonObject, textAt, valueAt } from "../core/interpreter/flow.ts";
import { withSecretNames } from "../core/interpreter/language/secret-tokens.ts";
import { untrustedJsonOrText } from "../core/interpreter/language/untrusted-json.ts";
import type { Effect, Report } from "../core/interpreter/program/effect.ts";
import type { SessionState } from "../core/interpreter/program/state.ts";
import type { EffectContext } from "../effects/effect-context.ts";
import { outcomeOf } from "../effects/http-request.ts";
import { perform } from "../effects/index.ts";
import { type Hops, rootOf } from "../effects/safe-fetch/hops.ts";
import { AppError } from "../errors.ts";
import { limits } from "../limits/index.ts";
import { type Caller, requireBot } from "../management/access/access.ts";
import { allowingSetting } from "../management/access/outgoing-addresses.ts";
import { findBot } from "../management/bots/bots.sql.ts";
import { requireHttpBlock } from "../management/bots/http-blocks.ts";
import { secretsOfStep } from "../management/credentials/secrets.ts";
import { readClock } from "../platform/database/clock.sql.ts";
import { invalidInput } from "../platform/http/requests/invalid-input.ts";
import { newId } from "../platform/ids.ts";
import { effectReads } from "./reads/effect-reads.ts";
import type { ChatDependencies } from "./steps/dependencies.ts";
import { type Performed, runStep, type WantedEffect } from "./steps/run-step.ts";
import { newSeed } from "./steps/session-source.ts";

type Value = string | readonly (string | null)[];

export type TestCallRequest = {
  readonly botId: string;
  readonly blockId: string;
  /** By variable name. */
  readonly variables: Readonly<Record<string, Value>>;
  readonly hops: Hops;
};

type HttpEffect = Extract<Effect, { kind: "http" }>;
type Headers = readonly (readonly [name: string, value: string])[];
type HttpReport = Extract<Report, { kind: "http" }>;

/**
 * Sends the request of a draft's HTTP block, and returns the response and the variables that its mappings wrote. It runs a flow of this block
 * alone, as a chat would; nothing is stored.
 */
export async function testCall(deps: ChatDependencies, caller: Caller, request: TestCallRequest) {
  const { botId, blockId, hops } = request;
  const { workspaceId } = await requireBot(deps, caller, botId, "write");
  const draft = await findBot(deps.sql, botId);
  if (!draft) throw new AppError("bot.not_found");
  const block = requireHttpBlock(draft, blockId);
  const now = await readClock(deps.sql);
  caller.place.end();
  const text = JSON.stringify(flowOfOne(draft, withoutClient(block)));
  const key = `${botId}:test:${newId()}`;
  const seed = newSeed();
  const sessionId = newId();
  let sent: { readonly effect: HttpEffect; readonly report: Report; readonly durationMs: number } | undefined;
  /** Headers of the last attempt. */
  let headers: Headers = [];
  const performEffect = async ({ effect, timeLeftMs }: WantedEffect): Promise<Performed<never>> => {
    const context: EffectContext = {
      ...effectReads(deps.sql, sessionId),
      safeFetch: deps.safeFetch,
      safeStream: deps.safeStream,
      secrets: secretsOfStep(deps, { workspaceId, seed }),
      sessionId,
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
    if (effect.kind === "http") sent = { effect, report, durationMs: Math.round(deps.clock.now() - begun) };
    return { report };
  };
  const step = await runStep(
    deps,
    {
      program: { key, botId },
      context: { now: now.getTime(), seed, isLive: false, contentFormat: "richText" },
      input: {
        kind: "start",
        resultId: null,
        isStreamEnabled: false,
        isOnlyRegistering: false,
        reply: null,
        options: { prefilledVariables: variablesFor(draft, block, request.variables) },
      },
    },
    { workspaceId, isAnonymous: false, suppliedFlow: { key, text }, performEffect },
  );
  if (sent?.report.kind !== "http") throw new AppError("block.no_address");
  const { effect, report, durationMs } = sent;
  return {
    request: requestOf(effect),
    ...outcomeFor(effect, report),
    ...answerOf(report),
    // A call without a response at its last attempt has no headers, even if an earlier attempt had some.
    headers: "text" in report ? namedValues(headers) : [],
    durationMs,
    variables: writtenBy(block, draft, JSON.parse(step.state)),
  };
}

/** The block with its request sent from the service, even if chats send it from the client. */
function withoutClient(block: FlowBlock): FlowBlock {
  const { options } = block;
  return isJsonObject(options) ? { ...block, options: { ...options, isExecutedOnClient: false } } : block;
}

/** Values by name: the block's test values, overridden by the given ones. */
function variablesFor(
  { variables }: Pick<StoredFlow, "variables">,
  { options }: FlowBlock,
  given: TestCallRequest["variables"],
): Record<string, unknown> {
  const known = new Set(variables.map(({ name }) => name));
  const strange = Object.keys(given).filter((name) => !known.has(name));
  if (strange.length > 0) {
    const message = "is no variable of this bot's draft";
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

function requestOf({ method, url, headers, ...rest }: HttpEffect) {
  const named = headers.map(([name, value]) => [withSecretNames(name), withSecretNames(value)] as const);
  return { method, url: withSecretNames(url), headers: namedValues(named), body: bodyOf(rest) };
}

function namedValues(headers: Headers): { name: string; value: string }[] {
  return headers.map(([name, value]) => ({ name, value: value.slice(0, limits.outgoing.shownHeaderCharacters) }));
}

function bodyOf({ body }: Pick<HttpEffect, "body">): string | null {
  return body === undefined ? null : withSecretNames(body).slice(0, limits.outgoing.shownCharacters);
}

function outcomeFor({ url }: Pick<HttpEffect, "url">, report: HttpReport) {
  const { outcome, reason } = outcomeOf(report);
  const refusal = reason === undefined ? null : { reason, setting: allowingSetting(url, reason) };
  return { outcome, refusal };
}

function answerOf(report: HttpReport) {
  const { statusCode } = report;
  if ("error" in report) return { statusCode, data: report.error, isCut: false };
  const { text } = report;
  const isCut = text.length > limits.outgoing.shownCharacters;
  const data = isCut ? text.slice(0, limits.outgoing.shownCharacters) : untrustedJsonOrText(text);
  return { statusCode, data, isCut };
}

/** The values that the block's mappings wrote. */
function writtenBy({ options }: FlowBlock, { variables }: Pick<StoredFlow, "variables">, { queue }: SessionState) {
  const mappings = valueAt(options, "responseVariableMapping");
  const mapped = new Set((Array.isArray(mappings) ? mappings : []).map((mapping) => textAt(mapping, "variableId")));
  const written = new Map(queue[0]?.written.map(([id, value]) => [id, value]));
  return variables
    .filter(({ id }) => mapped.has(id))
    .map(({ id, name }) => ({ id, name, value: written.get(id) ?? null }));
}
