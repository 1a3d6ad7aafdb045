import { AppError } from "../../../errors.ts";
import { invalidInput } from "../../../platform/http/requests/invalid-input.ts";
import { type Caller, requireBot } from "../../access/access.ts";
import type { BotDependencies } from "./dependencies.ts";
import { deletePresence, listPresences, type Place, type PresenceRow, putPresence } from "./presences.sql.ts";

export type { PresenceRow };

/**
 * Records that a person has a draft open, with their position in it, or that they have closed it. The record lasts a
 * minute. Returns the present people. Throws `request.invalid` when the id is another user's, `server.overloaded` when
 * too many are present.
 */
export async function notePresence(
  deps: BotDependencies,
  caller: Caller,
  botId: string,
  { id, at, place, isHere }: { id: string; at: string | null; place: Place; isHere: boolean },
): Promise<{ present: readonly PresenceRow[] }> {
  await requireBot(deps, caller, botId, "read");
  const presence = { botId, id, userId: caller.userId };
  if (!isHere) await deletePresence(deps.sql, presence);
  const isNoted = !isHere || (await putPresence(deps.sql, { ...presence, at, place }));
  const present = await listPresences(deps.sql, botId);
  if (!isNoted) {
    const isTaken = present.some((other) => other.id === id);
    throw isTaken
      ? invalidInput([{ path: "id", message: "must be one that nobody else has" }])
      : new AppError("server.overloaded");
  }
  deps.draftWatch.wake();
  return { present };
}
