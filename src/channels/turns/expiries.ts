import { limits } from "../../limits/index.ts";
import { connectionTexts } from "../connection-texts.ts";
import { listDueExpiries, tellExpiries } from "./expiries.sql.ts";
import { noticesOf, type TurnTools } from "./turn.ts";

/**
 * Informs contacts of a connection that their chats have expired, if the connection has a text for this. Chats stay
 * unchanged, because the next message starts a new chat anyway. Returns 0 if more chats may be due, otherwise
 * undefined.
 */
export async function tellExpired(
  tools: Pick<TurnTools, "connection" | "held"> & { readonly deps: Pick<TurnTools["deps"], "sql"> },
  onTold: () => void,
): Promise<number | undefined> {
  const { deps, connection, held } = tools;
  const due = await listDueExpiries(deps.sql, connection.id);
  if (due.length === 0 || !held.mayAct()) return undefined;
  // No language has a default for this text.
  const words = connectionTexts(connection.settings).expired;
  const seen = due.map(({ contactId, sessionId, againSeconds, isExpired, ...facts }) => ({
    ...{ contactId, sessionId, againSeconds },
    messages: isExpired ? noticesOf(tools, facts, words) : [],
  }));
  const count = await tellExpiries(deps.sql, { connectionId: connection.id, holder: held.holder }, seen);
  if (seen.some(({ messages }) => messages.length > 0)) onTold();
  // Contacts who wrote during this check are checked when they are next due.
  return count > 0 && due.length === limits.channels.expiriesAtOnce ? 0 : undefined;
}
