import { AppError } from "../../../errors.ts";
import { limits } from "../../../limits/index.ts";
import { type Caller, requireBot } from "../../access/access.ts";
import type { BotDependencies } from "./dependencies.ts";
import { listDraftChanges, viewChangeSet } from "./draft-changes.ts";
import type { DraftEvent } from "./draft-watch.ts";

export type Watching = {
  /** The revision of the draft that the watcher already has. */
  readonly after: number;
  readonly knowsEdits: boolean;
  /** Identifies the caller again, because rights may end during a stream. */
  identify(): Promise<Caller>;
};

/** The interval in ms at which a comment keeps the connection alive and the rights are checked. */
const beatMs = 20_000;
/** The stream ends after this number of intervals. The watcher then connects again, possibly to another node. */
const beatsOfStream = 30;

/**
 * Returns the changes of a draft as server-sent events. The stream ends if the watcher reads too slowly, or may no
 * longer read the bot. The states of a stream are:
 *
 *     open ─ the draft changes, or is published ───────────→ open: an event is sent
 *     open ─ every 20 s, if the watcher may read the bot ──→ open: a comment is sent
 *     open ─ the token, sign-in or right to read ends ─────→ ended, before later changes are sent
 *     open ─ ten minutes have passed ──────────────────────→ ended, after `closed`
 *     open ─ the watcher reads too slowly or is displaced ─→ ended, after `closed`
 *     open ─ the bot is archived, or the process ends ─────→ ended, after `closed`
 *     open ─ the watcher disconnects ──────────────────────→ ended
 */
export async function watchDraft(
  deps: BotDependencies,
  caller: Caller,
  botId: string,
  { after, knowsEdits, identify }: Watching,
): Promise<ReadableStream<Uint8Array>> {
  await listDraftChanges(deps, caller, botId, { after, knowsEdits });
  const events = createEventStream();
  const stopWatching = deps.draftWatch.watch(
    { botId, userId: caller.userId, callerId: caller.tokenId, after, knowsEdits },
    (event) => {
      if (event.kind === "closed") close(event.reason);
      else if (!events.send(textOf(event))) close("slow");
    },
  );
  let beats = 0;
  const beat = async (): Promise<void> => {
    beats++;
    if (beats >= beatsOfStream) return close("renew");
    if (!(await mayRead(deps, botId, identify))) return close("forbidden");
    // The stream may have ended meanwhile.
    if (events.send(":\n\n")) stopTimer = deps.clock.startTimer(beatMs, () => void beat());
    else close("slow");
  };
  let stopTimer = deps.clock.startTimer(beatMs, () => void beat());
  const end = (): void => {
    stopTimer();
    stopWatching();
  };
  const close = (reason: string): void => {
    end();
    events.close(eventText("closed", { reason }));
  };
  events.onEnd(end);
  // Proxies forward the headers when they receive the first bytes.
  events.send(":\n\n");
  return events.stream;
}

type EventStream = {
  readonly stream: ReadableStream<Uint8Array>;
  /** Returns false if the stream has ended, or if its reader is too slow. */
  send(text: string): boolean;
  close(last: string): void;
  /** Sets the function to call when the reader disconnects. */
  onEnd(call: () => void): void;
};

function createEventStream(): EventStream {
  const encoder = new TextEncoder();
  let controller: ReadableStreamDefaultController<Uint8Array> | undefined;
  let callAtEnd = (): void => {};
  const stream = new ReadableStream<Uint8Array>(
    {
      start(started) {
        controller = started;
      },
      cancel() {
        controller = undefined;
        callAtEnd();
      },
    },
    { highWaterMark: limits.editing.watcherBytes, size: (chunk) => chunk?.byteLength ?? 0 },
  );
  return {
    stream,
    send(text) {
      controller?.enqueue(encoder.encode(text));
      return (controller?.desiredSize ?? -1) >= 0;
    },
    close(last) {
      controller?.enqueue(encoder.encode(last));
      controller?.close();
      controller = undefined;
    },
    onEnd(call) {
      callAtEnd = call;
    },
  };
}

/**
 * Whether the caller may still read the bot. A rejection ends the stream, but a brief outage of the database does not.
 */
async function mayRead(deps: BotDependencies, botId: string, identify: () => Promise<Caller>): Promise<boolean> {
  try {
    const caller = await identify();
    try {
      await requireBot(deps, caller, botId, "read");
    } finally {
      caller.place.end();
    }
    return true;
  } catch (error) {
    return !(error instanceof AppError) || error.code.startsWith("server.");
  }
}

function textOf(event: Exclude<DraftEvent, { kind: "closed" }>): string {
  switch (event.kind) {
    case "changes": {
      const id = event.sets.at(-1)?.revision;
      return eventText("changes", { changeSets: event.sets.map(viewChangeSet) }, id);
    }
    case "presence":
      return eventText("presence", { present: event.present });
    case "comments":
      return eventText("comments", { revision: event.revision });
    case "published":
      return eventText("published", { number: event.number });
    default:
      return event satisfies never;
  }
}

function eventText(name: string, data: object, id?: number): string {
  return `${id === undefined ? "" : `id: ${id}\n`}event: ${name}\ndata: ${JSON.stringify(data)}\n\n`;
}
