import { AppError } from "../../errors.ts";
import type { Session } from "./sessions.sql.ts";

/** The session of this contact; null: one of the web. Any other is answered as one that does not exist. */
export function requireContact(session: Pick<Session, "contactId">, contactId: string | null): void {
  if (session.contactId !== contactId) throw new AppError("session.not_found");
}

/** A session that anybody may reach who knows its id: chats of messengers are none. */
export function requirePublic(session: Pick<Session, "contactId">): void {
  requireContact(session, null);
}
