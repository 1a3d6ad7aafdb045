import { blocks } from "../../core/blocks/index.ts";
import { isJsonObject } from "../../core/interpreter/flow.ts";
import { parseJsonOr } from "../../core/interpreter/language/json.ts";
import type { CallEffect, Suggestion, SuggestionSource } from "../../core/interpreter/program/call.ts";
import { performCall } from "../../effects/call.ts";
import { noHops } from "../../effects/safe-fetch/hops.ts";
import { limits } from "../../limits/index.ts";
import type { Origins } from "../../management/access/origins.ts";
import { credentialsOfStep } from "../../management/credentials/credentials-of-step.ts";
import type { Session } from "../reads/sessions.sql.ts";
import { waitingBlock } from "../reads/waiting-block.ts";
import { openSession } from "../sessions.ts";
import type { ChatDependencies } from "../steps/dependencies.ts";
import { readOf } from "../steps/run-step.ts";

export type SuggestionsRequest = {
  readonly sessionId: string;
  readonly blockId: string;
  /** The visitor's text so far. */
  readonly text: string;
  readonly origins: Origins;
};

/** `id` is sent with the reply if the visitor chooses the suggestion. */
export type OfferedSuggestion = { readonly text: string; readonly id?: string };

/**
 * Returns suggestions for a visitor's text while an input with suggestions is open. The chat does not wait for
 * suggestions. If the service returns none in time, no suggestions are shown.
 */
export async function suggest(
  deps: ChatDependencies,
  { sessionId, blockId, text, origins }: SuggestionsRequest,
): Promise<OfferedSuggestion[]> {
  const session = await openSession(deps, sessionId, origins);
  const words = text.trim();
  if (words.length < limits.suggestions.characters.least) return [];
  const source = await readOf(deps, session, () => sourceOf(deps, session, blockId));
  if (!source) return [];
  const found = await ask(deps, session, { source, words });
  return Promise.all(
    found.map(async ({ text: offered, parts }) => ({
      text: offered,
      ...(source.takesParts && {
        id: await deps.suggestionTokens.tokenFor({ sessionId, blockId, text: offered }, parts),
      }),
    })),
  );
}

/**
 * Finds the source of suggestions for the open input. Returns undefined if the block is not open or makes no
 * suggestions, if the chat cannot continue, or for an anonymous preview.
 */
async function sourceOf(
  { sql }: ChatDependencies,
  session: Session,
  blockId: string,
): Promise<SuggestionSource | undefined> {
  const isOpen = !session.isEnded && !session.isExpired && !session.isSuspended && !session.isAnonymous;
  const block = isOpen ? (await waitingBlock(sql, session)).block : undefined;
  if (block?.id !== blockId || !isJsonObject(block.content)) return undefined;
  const { type, options } = block.content;
  return typeof type === "string" ? blocks.get(type)?.input?.suggestions?.({ id: blockId, type, options }) : undefined;
}

async function ask(
  deps: ChatDependencies,
  { workspaceId, resultId }: Session,
  { source, words }: { readonly source: SuggestionSource; readonly words: string },
): Promise<readonly Suggestion[]> {
  const { credentialsType, credentialsId } = source;
  const timeoutMs = limits.suggestions.ms;
  const effect: CallEffect = {
    ...{ kind: "call", credentialsType, credentialsId, retries: 0, timeoutMs },
    request: source.ask(words),
  };
  const { safeFetch, providers } = deps;
  const report = await performCall(effect, {
    ...{ safeFetch, providers, timeLeftMs: timeoutMs, idempotencyKey: "" },
    hops: { ...noHops, workspaceId },
    credentials: credentialsOfStep(deps, { workspaceId, isLive: resultId !== null }),
  });
  // An error response contains no suggestions.
  return "failure" in report ? [] : source.read(parseJsonOr(report.text, undefined));
}
