import type { ChatContact } from "../../src/core/interpreter/program/contact.ts";
import type { Sql } from "../../src/platform/database/sql.ts";
import { newId } from "../../src/platform/ids.ts";

export type MadeContact = Pick<ChatContact, "name" | "username" | "phone" | "language" | "startPayload"> & {
  readonly channel: string;
  readonly connectionId: string;
  readonly address: string;
  readonly kind?: "person" | "group";
};

/** Creates a contact of a connection, and returns the contact's data for a chat. */
export async function makeContact(
  sql: Sql,
  { channel, connectionId, address, kind = "person", ...facts }: MadeContact,
): Promise<ChatContact> {
  const id = newId();
  const addressKind = channel === "telegram" ? "chat" : "user";
  await sql`
    insert into channel_contacts (id, connection_id, kind, name, username, language, address_kind, address_value)
    values (
      ${id}, ${connectionId}, ${kind}, ${facts.name ?? null}, ${facts.username ?? null}, ${facts.language ?? null},
      ${addressKind}, ${address}
    )`;
  await sql`
    insert into channel_addresses (connection_id, kind, value, contact_id)
    values (${connectionId}, ${addressKind}, ${address}, ${id})`;
  return { id, connectionId, channel, connectionName: "Shop", ...facts };
}
