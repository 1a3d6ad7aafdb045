import { limits } from "../../limits/index.ts";
import { listDueExpiries, tellExpiries } from "./expiries.sql.ts";
import { noticesOf, type TurnTools, textsIn } from "./turn.ts";

/**
 * Informs contacts of a connection that their chats have expired, if the connection has a text for it. Chats stay
 * unchanged: the next message begins a new one in any case. Returns the milliseconds until the next call; undefined:
 * once it is woken.
 */
export async function tellExpired(
  tools: Pick<TurnTools, "connection" | "held"> & { readonly deps: Pick<TurnTools["deps"], "sql"> },
  onTold: () => void,
): Promise<number | undefined> {
  const { deps, connection, held } = tools;
  const due = await listDueExpiries(deps.sql, connection.id);
  if (due.length === 0 || !held.mayAct()) return undefined;
  const words = textsIn(connection).expired;
  const seen = due.map(({ contactId, sessionId, againSeconds, isExpired, ...facts }) => ({
    ...{ contactId, sessionId, againSeconds },
    messages: isExpired ? noticesOf(tools, facts, words) : [],
  }));
  const count = await tellExpiries(deps.sql, { connectionId: connection.id, holder: held.holder }, seen);
  if (seen.some(({ messages }) => messages.length > 0)) onTold();
  // Contacts who write at this moment are checked when they are next due.
  return count > 0 && due.length === limits.channels.expiriesAtOnce ? 0 : undefined;
}
