import type { Address, ChannelEvent, ContactFacts } from "../../core/channels/channel.ts";
import type { OptOuts } from "../../management/channels/opt-outs.ts";
import type { Sql } from "../../platform/database/sql.ts";
import { madeAt, newId } from "../../platform/ids.ts";
import type { Log } from "../../platform/observing/log.ts";
import {
  addContact,
  changeAddress,
  describeContact,
  findAddresses,
  freeAddresses,
  type KnownContact,
  mergeContacts,
} from "./contacts.sql.ts";

export type ContactTools = { readonly sql: Sql; readonly log: Log; readonly optOuts: OptOuts };

/** A row whose contact is not yet resolved. */
export type Unassigned = {
  readonly id: string;
  readonly event: Extract<ChannelEvent, { readonly contact: ContactFacts }>;
};

/** The kinds of addresses, from the most to the least reliable identification of a person. */
const order: readonly Address["kind"][] = ["user", "parent_user", "phone", "chat"];

/**
 * Finds the contact of each row, in the order of arrival. Unknown addresses are added to the contact found, or to a new
 * contact. If one event shows that two contacts are the same person, they are merged into the older contact.
 */
export async function resolveContacts(
  { sql, log, optOuts }: ContactTools,
  connectionId: string,
  rows: readonly Unassigned[],
): Promise<{ id: string; contactId: string }[]> {
  const found = await findAddresses(
    sql,
    connectionId,
    rows.flatMap(({ event }) => event.contact.addresses),
  );
  const known = new Map(found.map(({ kind, value, contact }) => [nameOf({ kind, value }), contact]));
  const assigned: { id: string; contactId: string }[] = [];
  for (const { id, event } of rows) {
    const contact = await contactOf({ sql, log, optOuts }, connectionId, known, event.contact);
    if (contact) assigned.push({ id, contactId: contact.id });
    if (event.kind === "identity") await changeAddress(sql, { connectionId, was: event.was, is: event.is });
  }
  return assigned;
}

type Known = Map<string, KnownContact>;

async function contactOf(
  { sql, log, optOuts }: ContactTools,
  connectionId: string,
  known: Known,
  facts: ContactFacts,
): Promise<KnownContact | undefined> {
  const candidates = [
    ...new Map(
      order
        .flatMap((kind) => facts.addresses.filter((address) => address.kind === kind))
        .flatMap((address) => known.get(nameOf(address)) ?? [])
        .map((contact) => [contact.id, contact]),
    ).values(),
  ];
  const [oldest, ...others] = candidates.toSorted((a, b) => madeAt(a.id) - madeAt(b.id) || (a.id < b.id ? -1 : 1));
  if (!oldest) return await newContact({ sql, optOuts }, connectionId, known, facts);
  for (const other of others) {
    await mergeContacts(sql, { connectionId, older: oldest.id, newer: other });
    log.info("contact.merged", { connection: connectionId, older: oldest.id, newer: other.id });
    for (const [name, contact] of known) if (contact.id === other.id) known.set(name, oldest);
  }
  const isKnown = facts.addresses.every((address) => known.get(nameOf(address))?.id === oldest.id);
  if (isKnown && isSame(oldest, facts)) return oldest;
  await describeContact(sql, { id: oldest.id, connectionId, facts });
  return keep(known, facts, described(oldest, facts));
}

async function newContact(
  { sql, optOuts }: Pick<ContactTools, "sql" | "optOuts">,
  connectionId: string,
  known: Known,
  facts: ContactFacts,
): Promise<KnownContact | undefined> {
  const id = newId();
  const hashes = await Promise.all(
    facts.addresses.map(async (address) => Buffer.from(await optOuts.hashOf(connectionId, address)).toString("hex")),
  );
  const add = () => addContact(sql, { id, connectionId, facts, hashes });
  const made = { id, name: null, username: null, language: null, sessionId: null };
  if (await add()) return keep(known, facts, described(made, facts));
  // The previous holder of the connection may have created the contact already.
  const [found] = await findAddresses(sql, connectionId, facts.addresses);
  if (found) return keep(known, facts, found.contact);
  await freeAddresses(sql, connectionId, facts.addresses);
  return (await add()) ? keep(known, facts, described(made, facts)) : undefined;
}

function keep(known: Known, { addresses }: ContactFacts, contact: KnownContact): KnownContact {
  for (const [name, one] of known) if (one.id === contact.id) known.set(name, contact);
  for (const address of addresses) known.set(nameOf(address), contact);
  return contact;
}

function described(contact: KnownContact, { name, username, language }: ContactFacts): KnownContact {
  return {
    ...contact,
    name: name ?? contact.name,
    username: username ?? contact.username,
    language: language ?? contact.language,
  };
}

function isSame(contact: KnownContact, facts: ContactFacts): boolean {
  const { name, username, language } = described(contact, facts);
  return name === contact.name && username === contact.username && language === contact.language;
}

function nameOf({ kind, value }: Pick<Address, "kind" | "value">): string {
  return `${kind} ${value}`;
}
