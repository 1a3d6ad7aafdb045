import { textAt } from "../../core/interpreter/flow.ts";
import { parseJsonOr } from "../../core/interpreter/language/json.ts";
import type { Hops } from "../../effects/safe-fetch/hops.ts";
import { AppError } from "../../errors.ts";
import { noOrigins } from "../../management/access/origins.ts";
import { findBlock } from "../../management/bots/versions/flows.sql.ts";
import { storedSession } from "../continue-chat.ts";
import type { Session } from "../reads/sessions.sql.ts";
import type { ChatDependencies } from "../steps/dependencies.ts";
import { replyOf, requestHash } from "../steps/replies.ts";
import type { LoadedSession, SessionSource } from "../steps/session-source.ts";
import { takeStep } from "../steps/take-step.ts";
import { addEarlyCall } from "./early-calls.sql.ts";

/** A call from outside for chats that wait at a block. */
export type Call = {
  readonly botId: string;
  readonly blockId: string;
  /** JSON text, as the block's mappings read it. */
  readonly message: string;
  readonly key: string | null;
  readonly hops: Hops;
  /** Whether the block is known to be one of the chat's that waits for calls. */
  readonly isSigned: boolean;
};

/**
 * `taken`: the chat went on. `early`: its chat is open and not there yet, so the call waits for it. `nobody`: there is no such open chat; `over`: there
 * was one.
 */
export type Passed = "taken" | "early" | "over" | "nobody";

/**
 * Passes a call to the chat among these that waits at its block, and takes its next step, which is saved like any other. The same key twice is
 * one step.
 */
export async function passCall(deps: ChatDependencies, sessionIds: readonly string[], call: Call): Promise<Passed> {
  const { botId, blockId, message, key, hops, isSigned } = call;
  const request = { ...requestOf(message), key, origins: noOrigins, hops, sender: "other" as const };
  const read = await Promise.all(sessionIds.map((id) => deps.reads.sessions.add({ id, key })));
  const sessions = read.flatMap((session) => (session?.botId === botId ? [session] : []));
  const open = sessions.filter(isOpen);
  const session = sessions.find(({ replay }) => replay !== null) ?? open.find(({ state }) => isAt(state, blockId));
  if (session) {
    try {
      await takeStep(deps, listeningSession(deps, { id: session.id, key, blockId }), request);
      return "taken";
    } catch (error) {
      // Another call was first, or the visitor's own client.
      if (!(error instanceof NotListening)) throw error;
    }
  }
  const [newest] = open;
  if (!newest) return sessions.length > 0 ? "over" : "nobody";
  if (!isSigned && !(await isListener(deps, newest, blockId))) return "nobody";
  if (!(await addEarlyCall(deps.sql, { sessionId: newest.id, botId, content: { blockId, message, key } })))
    throw new AppError("session.busy");
  return "early";
}

/** A block of a linked bot counts once the chat waits at it: until then nothing says that it will come there. */
async function isListener(deps: ChatDependencies, { botId, flowHash }: Session, blockId: string): Promise<boolean> {
  return textAt(await findBlock(deps.sql, { botId, flowHash, blockId }), "type") === "webhook";
}

/** A call as a step gets it: the same for one that waited. */
export function requestOf(message: string) {
  const contentFormat = "richText" as const;
  return { reply: replyOf(message), contentFormat, hash: requestHash([message, contentFormat]) };
}

/** Whether a session in this state waits at the block. */
export function isAt(state: string, blockId: string): boolean {
  return textAt(parseJsonOr(state, null), "blockId") === blockId;
}

function isOpen({ isEnded, isExpired }: Session): boolean {
  return !isEnded && !isExpired;
}

/** The session has left the block at which it waited for the call. */
class NotListening extends Error {
  override readonly name = "NotListening";
}

/** The session while it waits at the block: a call must not become the answer to a question behind it. */
function listeningSession(
  deps: ChatDependencies,
  { id, key, blockId }: { id: string; key: string | null; blockId: string },
): SessionSource<LoadedSession> {
  const stored = storedSession(deps, { id, key, mayMove: true, sender: "other" });
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
