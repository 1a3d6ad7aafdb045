import { textAt } from "../../core/interpreter/flow.ts";
import { parseJsonOr } from "../../core/interpreter/language/json.ts";
import type { Hops } from "../../effects/safe-fetch/hops.ts";
import { AppError } from "../../errors.ts";
import { noOrigins } from "../../management/access/origins.ts";
import { findBlock } from "../../management/bots/versions/flows.sql.ts";
import { storedSession } from "../continue-chat.ts";
import { shortBlockId } from "../reads/callback-facts.ts";
import type { Session } from "../reads/sessions.sql.ts";
import type { ChatDependencies } from "../steps/dependencies.ts";
import { replyOf, requestHash } from "../steps/replies.ts";
import type { LoadedSession, SessionSource } from "../steps/session-source.ts";
import { takeStep } from "../steps/take-step.ts";
import { addEarlyCall } from "./early-calls.sql.ts";

/** A call from another program to chats that wait at a block. */
export type Call = {
  readonly botId: string;
  readonly blockId: string;
  /** The chat that the call names, if any. */
  readonly sessionId?: string | null;
  /** JSON text, in the form that the block's mappings read. */
  readonly message: string;
  readonly key: string | null;
  readonly hops: Hops;
  /**
   * Whether the call arrived at a signed URL, which guarantees that the block belongs to the chat and waits for calls.
   */
  readonly isSigned: boolean;
};

/**
 * `taken`: a chat continued with the call. `early`: the chat is open but has not reached the block, so the call is
 * stored. `over`: all chats have ended or expired. `nobody`: no chat was found, or the block waits for no calls.
 */
export type Passed = "taken" | "early" | "over" | "nobody";

/**
 * Passes a call to one of the given chats. A chat that waits at the call's block runs its next step. For an open chat
 * that has not reached the block, the call is stored. Calls with the same key cause one step.
 */
export async function passCall(deps: ChatDependencies, sessionIds: readonly string[], call: Call): Promise<Passed> {
  const { blockId, isSigned } = call;
  const sessions = await sessionsOf(deps, sessionIds, call);
  const reached = reachedBy(call, sessions.filter(isOpen));
  const session = sessions.find(({ replay }) => replay !== null) ?? reached.find(({ state }) => isAt(state, blockId));
  if (session && (await giveCall(deps, session.id, call))) return "taken";
  const [later] = reached;
  if (!later) return sessions.length > 0 ? "over" : "nobody";
  if (!isSigned && !(await isListener(deps, later, blockId))) return "nobody";
  await keepCall(deps, later.id, call);
  return "early";
}

/**
 * Returns the open chats that may receive a call. The named chat is the only candidate if it waits for the call or has
 * continued since its start. Otherwise, any open chat may receive the call, because each reload of a page leaves a chat
 * that has only started.
 */
function reachedBy({ sessionId, blockId }: Call, open: readonly Session[]): readonly Session[] {
  const named = open.find(({ id }) => id === sessionId);
  return named && (named.revision > 1 || isAt(named.state, blockId)) ? [named] : open;
}

/** Stores a call until its chat reaches the block. Throws `session.busy` if too many calls wait for the chat. */
export async function keepCall(
  { sql }: ChatDependencies,
  sessionId: string,
  { botId, blockId, message, key }: Call,
): Promise<void> {
  const isKept = await addEarlyCall(sql, { sessionId, botId, content: { blockId, message, key } });
  if (!isKept) throw new AppError("session.busy");
}

/**
 * Reads the current state of the given sessions that belong to the bot. Each session includes the step that was saved
 * under the call's key, if any.
 */
export async function sessionsOf(
  deps: ChatDependencies,
  sessionIds: readonly string[],
  { botId, key }: Pick<Call, "botId" | "key">,
): Promise<Session[]> {
  const read = await Promise.all(sessionIds.map((id) => deps.reads.sessions.add({ id, key })));
  return read.flatMap((session) => (session?.botId === botId ? [session] : []));
}

/**
 * Runs the step of a call. Returns true if the step was run now or has already run under the call's key. Returns false
 * if the session has ended or no longer waits at the block, for example because another call continued the session
 * first.
 */
export async function giveCall(
  deps: ChatDependencies,
  sessionId: string,
  { blockId, message, key, hops }: Pick<Call, "blockId" | "message" | "key" | "hops">,
): Promise<boolean> {
  const request = { ...requestOf(message), key, origins: noOrigins, hops, sender: "other" as const, called: blockId };
  try {
    await takeStep(deps, listeningSession(deps, { id: sessionId, key, blockId, hash: request.hash }), request);
    return true;
  } catch (error) {
    if (error instanceof NotListening) return false;
    throw error;
  }
}

/**
 * Whether the session's own flow has a webhook block with this id. Blocks of linked bots are excluded, because it is
 * uncertain whether the chat will reach such a block.
 */
async function isListener(deps: ChatDependencies, { botId, flowHash }: Session, blockId: string): Promise<boolean> {
  return textAt(await findBlock(deps.sql, { botId, flowHash, blockId }), "type") === "webhook";
}

/** Converts a call to a step's input. A stored call gives the same input as the original call. */
export function requestOf(message: string) {
  const contentFormat = "richText" as const;
  return { reply: replyOf(message), contentFormat, hash: requestHash([message, contentFormat]) };
}

function isAt(state: string, blockId: string): boolean {
  return isSameBlock(textAt(parseJsonOr(state, null), "blockId"), blockId);
}

/** Whether both ids, full or short, name the same block. */
export function isSameBlock(blockId: string | null | undefined, called: string): boolean {
  return typeof blockId === "string" && shortBlockId(blockId) === shortBlockId(called);
}

/** Whether the session is open and waits at the block. */
export function isListening(session: Session, blockId: string): boolean {
  return isOpen(session) && isAt(session.state, blockId);
}

function isOpen({ isEnded, isExpired }: Session): boolean {
  return !isEnded && !isExpired;
}

/** Thrown when a session does not wait at the block of a call. */
class NotListening extends Error {
  override readonly name = "NotListening";
}

/**
 * Returns the source of a session that waits at the block or has already run this request. For any other session,
 * `find` throws `NotListening`, because a call must not answer a later question.
 */
function listeningSession(
  deps: ChatDependencies,
  { id, key, blockId, hash }: { id: string; key: string | null; blockId: string; hash: string },
): SessionSource<LoadedSession> {
  const stored = storedSession(deps, { id, key, movesFor: hash, sender: "other" });
  return {
    ...stored,
    async find() {
      const found = await stored.find({ mayBeCached: false });
      const { replay, state, isEnded } = found.session;
      if (replay === null && (isEnded || !isAt(state, blockId))) throw new NotListening();
      return found;
    },
  };
}
