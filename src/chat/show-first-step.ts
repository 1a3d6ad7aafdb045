import type { Dependencies } from "../dependencies.ts";
import { isHarmless, perform } from "../effects/index.ts";
import { AppError } from "../errors.ts";
import { newId } from "../ids.ts";
import { limits } from "../limits.ts";
import type { PublishedBotRow } from "../store/chat/published-bots.ts";
import type { AdvanceTask, TaskInput } from "../threads/messages.ts";
import { programName, readFlow } from "./run-step.ts";
import { newSeed } from "./seed.ts";
import { requireOpenBot } from "./start-chat.ts";

/** What a page shows of a chat that nobody has started yet. */
export type ShownStart = {
  readonly botId: string;
  readonly allowedOrigins: readonly string[] | null;
  readonly isAuthorCodeDisabled: boolean;
  /** What a start answers with, but for the ids of the session and the result: there are none. */
  readonly response: unknown;
  /** The step wants something done in the world: what follows is only known once the chat starts. */
  readonly isPartial: boolean;
};

/**
 * Thinks the first step of a published bot through, for display alone: nothing is stored and nothing is done in the
 * world. Where the step wants an effect, it is shown up to there.
 */
export async function showFirstStep(
  deps: Dependencies,
  { publicId, prefilledVariables }: { publicId: string; prefilledVariables: Readonly<Record<string, unknown>> },
): Promise<ShownStart> {
  const bot = requireOpenBot(await deps.reads.publishedBots.add(publicId));
  const { response, isPartial } = await think(deps, bot, prefilledVariables);
  const { sessionId: _session, resultId: _result, ...shown } = response;
  const { allowedOrigins, isAuthorCodeDisabled = false } = bot.facts;
  return { botId: bot.botId, allowedOrigins, isAuthorCodeDisabled, response: shown, isPartial };
}

type Thought = { readonly response: Record<string, unknown>; readonly isPartial: boolean };

async function think(
  deps: Dependencies,
  bot: PublishedBotRow,
  prefilledVariables: Readonly<Record<string, unknown>>,
): Promise<Thought> {
  // Made up, so that the step is that of a live chat; they are never stored nor told.
  const [sessionId, resultId] = [newId(), newId()];
  const task = firstTask(bot, { sessionId, resultId, prefilledVariables });
  const deadline = performance.now() + limits.step.effectsMs;
  let input: TaskInput = task.input;
  for (let round = 0; round <= limits.step.effects; round++) {
    const answer = await deps.threads.advance({ ...task, input }, { loadFlow: (name) => readFlow(deps, name) });
    if (answer.kind === "stepped") return { response: JSON.parse(answer.step.response), isPartial: false };
    if (answer.kind === "refused") throw new AppError(answer.code, { data: answer.data });
    const { effect, continuation, saidSoFar } = answer;
    if (!isHarmless(effect)) return { response: JSON.parse(saidSoFar ?? "{}"), isPartial: true };
    const report = await perform(effect, {
      sql: deps.sql,
      safeFetch: deps.safeFetch,
      sessionId,
      idempotencyKey: "",
      timeLeftMs: deadline - performance.now(),
    });
    input = { kind: "report", continuation, report };
  }
  throw new AppError("step.over_budget", { data: { limit: "effects", most: limits.step.effects, blockIds: [] } });
}

function firstTask(
  bot: PublishedBotRow,
  start: { sessionId: string; resultId: string; prefilledVariables: Readonly<Record<string, unknown>> },
): AdvanceTask {
  const { sessionId, resultId, prefilledVariables } = start;
  const { botId } = bot;
  return {
    program: programName(botId, bot.flowHash),
    programs: [],
    context: { now: bot.now.getTime(), seed: newSeed(), isLive: true, contentFormat: "richText" },
    input: {
      kind: "start",
      resultId,
      isStreamEnabled: false,
      isOnlyRegistering: false,
      reply: null,
      options: { prefilledVariables },
    },
    envelope: { sessionId, resultId, botId, publishedAt: bot.publishedAt.toISOString(), dialect: "bot" },
    isOnlyShown: true,
  };
}
