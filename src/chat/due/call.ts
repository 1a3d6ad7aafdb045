import { textAt } from "../../core/interpreter/flow.ts";
import { noHops } from "../../effects/safe-fetch/hops.ts";
import { limits } from "../../limits/index.ts";
import { hasTakenCall } from "../callbacks/early-calls.sql.ts";
import { giveCall, isListening, isSameBlock, requestOf, sessionsOf } from "../callbacks/pass-call.ts";
import { listSessionsToCall } from "../reads/sessions.sql.ts";
import type { ChatDependencies } from "../steps/dependencies.ts";
import type { DueRow } from "./due-steps.sql.ts";
import { type DueKind, ownKeyOf } from "./kind.ts";

/**
 * A call that arrived before its chat waited for it. Its step has the same content as if the chat had already waited,
 * and uses the call's key, if any.
 */
export const call: DueKind = {
  reply: (row) => requestOf(callIn(row).message).reply,
  called: (row) => callIn(row).blockId,
  isAwaited: (row, { blockId }) => isSameBlock(blockId, callIn(row).blockId),
  keyed(row) {
    const { key, message } = callIn(row);
    return key === undefined ? undefined : { key, hash: requestOf(message).hash };
  },
  triedSeconds: limits.earlyCalls.seconds,
  offer: offerCall,
  dropped: (row) => ({
    status: "error",
    context: "Wait for a call",
    description: `A call was dropped: the chat did not reach the block that waits for it within ${limits.earlyCalls.seconds} seconds`,
    blockId: callIn(row).blockId,
  }),
};

/**
 * A call whose step was undone. The call is repeated when the chat reaches the call's block again. It needs no key: the
 * original step still has the call's key.
 */
export const keptCall: DueKind = {
  reply: call.reply,
  called: (row) => callIn(row).blockId,
  isAwaited: call.isAwaited,
  isPatient: true,
};

function callIn({ content }: DueRow) {
  return {
    blockId: textAt(content, "blockId") ?? "",
    message: textAt(content, "message") ?? "",
    key: textAt(content, "key"),
  };
}

/**
 * Passes the call to another chat of the result that waits at the call's block, and returns whether another chat has
 * handled the call. If the call has no key, the row's key prevents a second step. Once the row's own chat has continued
 * with a call, later calls belong only to that chat.
 */
async function offerCall(deps: ChatDependencies, row: DueRow, { mayTake }: { mayTake: boolean }): Promise<boolean> {
  const { sessionId, botId } = row;
  const { blockId, message, key = ownKeyOf(row) } = callIn(row);
  const session = await deps.reads.sessions.add({ id: sessionId, key: null });
  if (!session?.resultId) return false;
  const ids = await listSessionsToCall(deps.sql, session.resultId, limits.session.perResult);
  const otherIds = ids.filter((id) => id !== sessionId);
  const others = await sessionsOf(deps, otherIds, { botId, key });
  if (others.some(({ replay }) => replay !== null)) return true;
  const listening = mayTake ? others.find((other) => isListening(other, blockId)) : undefined;
  if (!listening || (await hasTakenCall(deps.sql, sessionId))) return false;
  return giveCall(deps, listening.id, { blockId, message, key, hops: noHops });
}
