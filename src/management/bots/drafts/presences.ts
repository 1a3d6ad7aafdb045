import { AppError } from "../../../errors.ts";
import { invalidInput } from "../../../platform/http/requests/invalid-input.ts";
import { type Caller, requireBot } from "../../access/access.ts";
import type { BotDependencies } from "./dependencies.ts";
import { deletePresence, listPresences, type Place, type PresenceRow, putPresence } from "./presences.sql.ts";

export type { PresenceRow };

/**
 * Says that somebody has a draft open, and where they are in it, or that they have closed it. It counts for a minute. Answers with who is
 * here. Throws `request.invalid` where the id is somebody else's, `server.overloaded` where too many are here.
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
