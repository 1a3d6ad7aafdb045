import { type ReadonlySignal, signal } from "@preact/signals";
import { ApiFailure, call, isRecord, stream } from "../api/index.ts";
import { colorPeople } from "./person-colors.ts";
import { createPresenceSender, type Place } from "./presence-sender.ts";
import { asReceived, knows } from "./service.ts";
import type { Clock } from "./working-copy/transport.ts";
import type { WorkingCopy } from "./working-copy/working-copy.ts";

/** A person who has the draft open in one tab. */
export type Present = Place & {
  readonly id: string;
  readonly userId: string;
  readonly name: string | null;
  readonly at: string | null;
};

export type Live = ReturnType<typeof followDraft>;

type Following = {
  readonly botId: string;
  readonly tabId: string;
  readonly copy: WorkingCopy;
  readonly clock: Clock;
  onPublished(number: number | null): void;
  /** Called when comments of the bot have changed. */
  onComments(revision: number): void;
};

const pollMs = 10_000;
const beatMs = 25_000;
const hiddenMs = 5 * 60_000;
/** How long the selection must rest before it is sent, because moving through the outline changes it often. */
const restMs = 400;

/**
 * Follows other people's changes to a draft.
 *
 *     following: reads a stream of events
 *     polling: reads the changes once, and tries the stream again after 10 s
 *     elsewhere: reads the changes every 10 s, without the stream
 *     away: sends no requests
 *
 *     following ─ the stream fails ─→ polling ─ after 10 s ─→ following
 *     following ─ the service ends the stream for a reconnection ─→ following
 *     following ─ the service ends the stream, because the author has too many tabs open ─→ elsewhere
 *     any ─ the tab was hidden for five minutes ─→ away
 *     away, elsewhere ─ the tab is shown ─→ following
 *     polling, elsewhere ─ `wake` ─→ following
 *     any ─ the bot can no longer be edited, or `close` ─→ over
 */
export function followDraft({ botId, tabId, copy, clock, onPublished, onComments }: Following) {
  const present = signal<readonly Present[]>([]);
  const path = { botId };
  /** Whether the service asked this tab to disconnect, because its author has too many other tabs open. */
  const isElsewhere = signal(false);
  let state: "following" | "polling" | "elsewhere" | "away" | "over" = "polling";
  let stopped = new AbortController();
  let timer = 0;
  let hidden = 0;
  let at: string | null = null;
  let beat = 0;
  let lastSaid = Promise.resolve();

  const follow = async (): Promise<void> => {
    if (state === "over" || state === "away") return;
    clearTimeout(timer);
    state = "following";
    if (isElsewhere.value) {
      isElsewhere.value = false;
      void sayWhere();
    }
    stopped = new AbortController();
    const { signal } = stopped;
    try {
      for await (const event of stream("GET /api/v1/bots/:botId/live", {
        path,
        query: { after: copy.revision(), knows },
        signal,
      })) {
        const ending = take(event.event, JSON.parse(event.data));
        if (ending === undefined) continue;
        if (ending === "elsewhere") return giveWay();
        if (ending !== "again" && (await isOver(ending))) return close();
        break;
      }
      if (!signal.aborted) schedule(200, follow);
    } catch (error) {
      if (signal.aborted) return;
      if (!(error instanceof ApiFailure) && !(error instanceof TypeError)) throw error;
      schedule(0, poll);
    }
  };

  const show = (others: readonly Present[]): void => {
    colorPeople(others.map(({ userId }) => userId));
    present.value = others;
  };

  /** Handles an event of the stream. Returns the reason if the event ends the stream; otherwise undefined. */
  const take = (name: string, data: unknown): Ending | undefined => {
    if (!isRecord(data)) return undefined;
    switch (name) {
      case "changes":
        copy.tell(Array.isArray(data["changeSets"]) ? data["changeSets"].map(asReceived) : []);
        return undefined;
      case "presence":
        show(Array.isArray(data["present"]) ? data["present"].filter(isPresent).filter(({ id }) => id !== tabId) : []);
        saying.othersCame();
        return undefined;
      case "published":
        onPublished(typeof data["number"] === "number" ? data["number"] : null);
        return undefined;
      case "comments":
        if (typeof data["revision"] === "number") onComments(data["revision"]);
        return undefined;
      case "closed": {
        const { reason } = data;
        if (reason === "behind") void copy.catchUp();
        return reason === "archived" || reason === "forbidden" || reason === "elsewhere" ? reason : "again";
      }
      default:
        return undefined;
    }
  };

  /**
   * Resolves to whether editing has ended. Reading the log finds the reason, which is shown to the author. The log of
   * an archived bot can still be read, so its editing is stopped here.
   */
  const isOver = async (reason: "archived" | "forbidden"): Promise<boolean> => {
    await copy.catchUp();
    if (reason === "archived" && copy.saving().kind !== "stopped") copy.stop("archived");
    const saving = copy.saving();
    return saving.kind === "stopped" && saving.why !== "signed-out";
  };

  const poll = async (): Promise<void> => {
    if (state === "over" || state === "away") return;
    if (state !== "elsewhere") state = "polling";
    await copy.catchUp();
    if (state === "polling") schedule(pollMs, follow);
    else if (state === "elsewhere") schedule(pollMs, poll);
  };

  /**
   * Called when newer tabs of this author have replaced this tab. The tab polls instead of reconnecting, because a
   * reconnect would only close another tab, which would then also reconnect.
   */
  const giveWay = (): void => {
    state = "elsewhere";
    isElsewhere.value = true;
    show([]);
    void sayWhere(false);
    void poll();
  };

  const schedule = (ms: number, next: () => Promise<void>): void => {
    clearTimeout(timer);
    if (state !== "over" && state !== "away") timer = window.setTimeout(() => void next(), ms);
  };

  /**
   * Sends positions in order, because an older position that arrives late would be shown until the next one. Leaving is
   * sent without waiting.
   */
  const sayWhere = (isHere = true): Promise<void> => {
    if (!isHere) return sendWhere(false);
    lastSaid = lastSaid.then(() => sendWhere(true));
    return lastSaid;
  };
  const sendWhere = async (isHere: boolean): Promise<void> => {
    clearTimeout(beat);
    if (isHere && (isElsewhere.value || state === "over" || state === "away")) return;
    if (isHere) beat = window.setTimeout(() => void sayWhere(), beatMs);
    // Presence is less important than saving and is soon sent again, so errors are ignored.
    const body = { id: tabId, at, isHere, ...saying.placeToSend() };
    await call("PUT /api/v1/bots/:botId/presence", { path, body, keepalive: !isHere }).catch(() => {});
  };
  const saying = createPresenceSender({
    clock,
    // Read without a subscription. Effects that send this tab's position would otherwise send it again for each
    // movement of other people, whose tabs would do likewise.
    isAnybodyHere: () => present.peek().length > 0 && (state === "following" || state === "polling"),
    say: () => sayWhere(),
  });

  const onVisibility = (): void => {
    clearTimeout(hidden);
    if (document.visibilityState === "hidden") {
      hidden = window.setTimeout(leave, hiddenMs);
    } else if (state === "away") {
      state = "polling";
      void sayWhere();
      void follow();
    } else if (state === "elsewhere") {
      void follow();
    }
  };
  const leave = (): void => {
    if (state === "over") return;
    state = "away";
    stopped.abort();
    clearTimeout(timer);
    void sayWhere(false);
  };
  const onPageHide = (): void => void sayWhere(false);

  function close(): void {
    if (state === "over") return;
    state = "over";
    stopped.abort();
    for (const one of [timer, hidden, beat]) clearTimeout(one);
    saying.close();
    document.removeEventListener("visibilitychange", onVisibility);
    removeEventListener("pagehide", onPageHide);
    void sayWhere(false);
  }

  document.addEventListener("visibilitychange", onVisibility);
  addEventListener("pagehide", onPageHide);
  void sayWhere();
  void follow();

  const shown: {
    readonly present: ReadonlySignal<readonly Present[]>;
    readonly isElsewhere: ReadonlySignal<boolean>;
  } = { present, isElsewhere };
  return {
    ...shown,
    /** Sends the id of the selected object as soon as the selection rests. */
    moveTo(next: string | undefined): void {
      if ((next ?? null) === at) return;
      at = next ?? null;
      clearTimeout(beat);
      beat = window.setTimeout(() => void sayWhere(), restMs);
    },
    note: saying.note,
    noteText: saying.noteText,
    /** Connects again immediately if the tab polls or was replaced. */
    wake(): void {
      if (state === "polling" || state === "elsewhere") void follow();
    },
    close,
  };
}

type Ending = "archived" | "forbidden" | "elsewhere" | "again";

function isPresent(value: unknown): value is Present {
  return isRecord(value) && typeof value["id"] === "string" && typeof value["userId"] === "string";
}
