import { requestHash } from "../../chat/steps/replies.ts";
import type { Address, ChannelEvent, ContactFacts } from "../../core/channels/channel.ts";
import { limits } from "../../limits/index.ts";
import { newId, newIdAfter, shardOf } from "../../platform/ids.ts";

/** An event as a row of the inbox. */
export type InboxRow = {
  readonly id: string;
  readonly providerId: string;
  readonly kind: string;
  /**
   * The event, as JSON. Null if the event is dropped, unless it is unreadable. Without a contact, an erasure could not
   * find the content.
   */
  readonly content: string | null;
  readonly providerTime: Date | null;
  /** The position in the order of events. If null, the database uses the second in which the row is stored. */
  readonly sequence: number | null;
  readonly state: "waiting" | "dropped";
  readonly reason: string | null;
};

export type StatusEvent = Extract<ChannelEvent, { kind: "status" }>;
/** All events except statuses, which update sent messages and are not stored as rows. */
export type InboxEvent = Exclude<ChannelEvent, StatusEvent>;

export type InboxPlace = {
  readonly connectionId: string;
  readonly isEnabled: boolean;
  /** Whether provider ids are consecutive numbers. */
  readonly isNumbered: boolean;
  readonly takesGroups: boolean;
};

/**
 * The id of the last row that this process created for each connection. Ids created in the same millisecond would
 * otherwise have no order.
 */
const lastIds = new Map<string, string>();
const mostLastIds = 10_000;

/** Converts events to rows, in the order of arrival. */
export function rowsOf(events: readonly InboxEvent[], place: InboxPlace, now = Date.now()): InboxRow[] {
  const { connectionId, isNumbered } = place;
  let last = lastIds.get(connectionId) ?? newId(shardOf(connectionId));
  const rows = events.map((event): InboxRow => {
    last = newIdAfter(last);
    const sentAt = "sentAt" in event ? event.sentAt : undefined;
    const reason = dropReasonOf(event, place, now);
    return {
      id: last,
      providerId: keyOf(event.providerId),
      kind: event.kind,
      content: reason === null || reason === "unreadable" ? JSON.stringify(event) : null,
      providerTime: isPlausible(sentAt, now) ? new Date(sentAt) : null,
      sequence: isNumbered ? numberOf(event.providerId) : secondOf(sentAt, now),
      state: reason === null ? "waiting" : "dropped",
      reason,
    };
  });
  lastIds.delete(connectionId);
  lastIds.set(connectionId, last);
  if (lastIds.size > mostLastIds) lastIds.delete(lastIds.keys().next().value ?? "");
  return rows;
}

/** Returns why an event is dropped, or null if it is processed. */
function dropReasonOf(event: InboxEvent, { isEnabled, takesGroups }: InboxPlace, now: number): string | null {
  if (event.kind === "unreadable" || event.kind === "ignored") return event.kind;
  if (!isEnabled) return "connection_disabled";
  if (!hasUsableAddresses(event.contact)) return "unreadable";
  if (event.contact.kind === "group" && !takesGroups && event.kind !== "identity") return "group";
  const isAncient = event.sentAt !== undefined && event.sentAt < now - limits.channels.replayDays * 86_400_000;
  return isAncient ? "stale" : null;
}

/** The maximum length of an address or id. Much longer texts do not fit into an index. */
const addressCharacters = 300;

function hasUsableAddresses({ addresses }: ContactFacts): boolean {
  return addresses.length > 0 && addresses.every(isUsable);
}

export function isUsable({ value }: Address): boolean {
  return value !== "" && value.length <= addressCharacters;
}

/** Returns an id that fits into an index. */
function keyOf(providerId: string): string {
  if (providerId.length <= addressCharacters) return providerId;
  return `sha256:${requestHash(providerId)}`;
}

function numberOf(providerId: string): number {
  const number = Number(providerId);
  return Number.isSafeInteger(number) ? number : 0;
}

function secondOf(sentAt: number | undefined, now: number): number | null {
  return sentAt === undefined ? null : Math.floor(Math.min(sentAt, now) / 1_000);
}

function isPlausible(sentAt: number | undefined, now: number): sentAt is number {
  return sentAt !== undefined && sentAt > 0 && sentAt < now + 86_400_000;
}
