import { AppError } from "../../errors.ts";
import { isId } from "../../platform/ids.ts";
import type { Caller } from "../access/access.ts";
import type { ManagementDependencies } from "../access/dependencies.ts";
import { eraseNamedResults } from "../row-erasure/bin-erasure.ts";
import { endSessions, eraseSessions } from "../row-erasure/erasure.sql.ts";
import type { ConnectionPlace } from "./connections.sql.ts";
import { findForCaller } from "./connections.ts";
import {
  chatsOfWorkspace,
  eraseContactRows,
  eraseLateRows,
  findResultsOfContact,
  findTraces,
  type ResultOfBot,
  takeContactFrom,
} from "./contacts.sql.ts";
import type { ContactPlace } from "./conversations.sql.ts";
import { createOptOuts } from "./opt-outs.ts";

export type ErasedContact = { readonly messages: number; readonly sessions: number; readonly results: number };

/** The variables that identify a contact. */
export const contactVariables = [
  ...["contactName", "contactPhone", "contactUsername", "contactId", "contactLanguage"],
  ...["startPayload", "adSourceId", "adClickId", "adHeadline"],
];

/**
 * Erases a contact with its addresses, messages and chats, and with `withResults` also its results. Otherwise the
 * results only lose the variables that identify the contact. Opt-outs remain stored as hashes. Requires ADMIN.
 */
export async function eraseContact(
  deps: ManagementDependencies,
  caller: Caller,
  path: ConnectionPlace & { readonly contactId: string },
  { withResults }: { withResults: boolean },
): Promise<ErasedContact> {
  const { id: connectionId, workspaceId } = await findForCaller(deps, caller, path, "administer");
  const { contactId } = path;
  const erased = isId(contactId)
    ? await eraseContactEverywhere(deps, { workspaceId, connectionId, contactId }, { withResults })
    : undefined;
  if (!erased) throw new AppError("contact.not_found");
  return erased;
}

/**
 * Erases a contact without checking rights. The `spared` results stay unchanged, because the calling code erases them
 * afterwards. Returns undefined if the contact no longer exists.
 */
export async function eraseContactEverywhere(
  { sql }: Pick<ManagementDependencies, "sql">,
  place: ContactPlace & { readonly workspaceId: string },
  { withResults, spared = [] }: { withResults: boolean; spared?: readonly string[] },
): Promise<ErasedContact | undefined> {
  const traces = await findTraces(sql, place);
  if (!traces) return undefined;
  const { addresses, isOptedOut } = traces;
  const sessionIds = await chatsOfWorkspace(sql, { ...place, sessionIds: traces.sessionIds });
  const found = await findResultsOfContact(sql, { ...place, sessionIds });
  const results = found.filter(({ id }) => !spared.includes(id));
  // Ends the sessions in a separate statement. Afterwards no step can add content that the erasure would miss.
  await endSessions(sql, sessionIds);
  if (withResults) {
    for (const [botId, resultIds] of byBot(results)) await eraseNamedResults(sql, { botId, resultIds });
  } else {
    await takeContactFrom(
      sql,
      results.map(({ id }) => id),
      contactVariables,
    );
  }
  await eraseSessions(sql, sessionIds);
  const optOuts = createOptOuts(sql);
  const hashes = await Promise.all(addresses.map((address) => optOuts.hashOf(place.connectionId, address)));
  const messages = await eraseContactRows(sql, place, { hashes, isOptedOut });
  await eraseLateRows(sql, place);
  return { messages, sessions: sessionIds.length, results: results.length };
}

function byBot(results: readonly ResultOfBot[]): Map<string, string[]> {
  const found = new Map<string, string[]>();
  for (const { botId, id } of results) found.set(botId, [...(found.get(botId) ?? []), id]);
  return found;
}
