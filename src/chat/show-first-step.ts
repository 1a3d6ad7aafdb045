import { isReadOnly, perform } from "../effects/index.ts";
import { noHops } from "../effects/safe-fetch/hops.ts";
import { newId } from "../platform/ids.ts";
import { firstTask, ignoredVariablesOf } from "./new-session.ts";
import { effectReads } from "./reads/effect-reads.ts";
import { digestOf, type ShownFacts } from "./shown/shown-starts.ts";
import { newSessionWith, readOpenBot, withCanary } from "./start-chat.ts";
import type { ChatDependencies } from "./steps/dependencies.ts";
import { type Performed, programName, readOf, runStep, type WantedEffect } from "./steps/run-step.ts";
import { newSeed } from "./steps/session-source.ts";

/** The first step of a chat that has not started. */
export type ShownStart = {
  readonly botId: string;
  readonly publicId: string;
  readonly name: string;
  readonly allowedOrigins: readonly string[] | null;
  readonly isAuthorCodeDisabled: boolean;
  /** Whether the flow may contain code for browsers. */
  readonly bringsCode: boolean;
  /** Origins with plain HTTP that the flow calls from the page. */
  readonly httpOrigins?: readonly string[] | undefined;
  /** The response of a start, without the ids of a session and result, because neither exists. */
  readonly response: unknown;
  /** Prefilled variables that the flow does not accept from a start. */
  readonly ignoredVariables: readonly string[];
  /** The encrypted facts of the step, for the start with this key. */
  readonly start: { readonly key: string; readonly shown: string };
  /**
   * Whether the step requests an effect that does more than read Parley's own data. The rest of the step is then known
   * only after the chat has started.
   */
  readonly isPartial: boolean;
};

/**
 * Runs the first step of a published bot for display, without storing data. Only effects that read Parley's own data
 * are performed. A step that requests another effect is shown up to that effect. `key` is the key of the start that may
 * follow; `again` contains the step's facts if a page has already shown the step.
 */
export async function showFirstStep(
  deps: ChatDependencies,
  {
    publicId,
    prefilledVariables,
    key,
    again,
  }: {
    publicId: string;
    prefilledVariables: Readonly<Record<string, unknown>>;
    key: string;
    again?: ShownFacts | undefined;
  },
): Promise<ShownStart> {
  const open = await readOpenBot(deps, publicId);
  const bot = await withCanary(deps, open, { key, resultId: null, shown: again });
  const options = { prefilledVariables };
  const resultId = again?.resultId ?? newId();
  const found = newSessionWith(bot, { dialect: "bot", resultId, options, cachedPublicId: null });
  const { session } = found;
  const drawn = { now: again?.now ?? session.now.getTime(), seed: again?.seed ?? newSeed() };
  const task = {
    program: programName(session),
    programs: [],
    context: { ...drawn, isLive: true, contentFormat: "richText", readsGfm: true },
    ...firstTask(found, { isStreamEnabled: false, isOnlyRegistering: false, reply: null }),
    isOnlyShown: true,
  } as const;
  const performEffect = async (wanted: WantedEffect): Promise<Performed<Shown>> => {
    if (!isReadOnly(wanted.effect)) return { stop: { response: wanted.saidSoFar ?? "{}", isPartial: true } };
    const context = {
      ...effectReads(deps.sql, session.id),
      safeFetch: deps.safeFetch,
      safeStream: deps.safeStream,
      google: deps.google,
      sessionId: session.id,
      hops: noHops,
      previewedBy: null,
      idempotencyKey: "",
    };
    const act = () => perform(wanted.effect, { ...context, timeLeftMs: wanted.timeLeftMs() });
    return { report: await readOf(deps, session, act) };
  };
  const ran = await runStep<Shown>(deps, task, { workspaceId: session.workspaceId, isAnonymous: false, performEffect });
  const { sessionId: _session, resultId: _result, ...response } = JSON.parse(ran.response);
  const { allowedOrigins, isAuthorCodeDisabled = false, bringsCode = !isAuthorCodeDisabled, httpOrigins } = bot.facts;
  const { botId, publicId: ownPublicId, name } = bot;
  const ignoredVariables = ignoredVariablesOf(bot.facts, prefilledVariables);
  const isPartial = "isPartial" in ran;
  const rules = { allowedOrigins, isAuthorCodeDisabled, bringsCode, httpOrigins };
  const facts = { botId, number: bot.publicationNumber, ...drawn, resultId, digest: digestOf(response) };
  const start = { key, shown: await deps.shownStarts.seal(facts, key) };
  return { botId, publicId: ownPublicId, name, ...rules, response, ignoredVariables, start, isPartial };
}

/** The response before an effect, as JSON text. */
type Shown = { readonly response: string; readonly isPartial: true };
