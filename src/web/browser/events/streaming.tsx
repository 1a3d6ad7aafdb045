import { loadBubbles } from "../../components/bubbles/index.ts";
import { StopButton } from "../../components/StopButton.tsx";
import { numberAt, textAt } from "../../conversation/read.ts";
import { type Bubble, readStep } from "../../conversation/step.ts";
import type { Entry } from "../../conversation/transcript.ts";
import type { Chat } from "../chat-state.ts";
import type { PageRequest } from "../transport.ts";
import { beginAnswer, endAnswer } from "./answer-status.ts";
import { eventsOf } from "./event-stream.ts";

/** The parts of a step that have arrived so far. */
type Stream = {
  /** The entries that were shown before the step. */
  readonly before: readonly Entry[];
  sessionId: string | undefined;
  bubbles: readonly Bubble[];
  /** The bubble that is being written. */
  growing: { readonly id: string; readonly text: string } | undefined;
  hasArrived: boolean;
  /** Whether an answer, which the visitor can stop, is being written. */
  isAnswering: boolean;
  isStopped: boolean;
};

/** Each request has one stream, even if its connection is lost several times. */
const streams = new WeakMap<PageRequest, Stream>();

/**
 * Shows a step while it is running, and returns its response or error as if it had not been streamed. Throws if the
 * connection is lost. The same request is then sent again, and receives the events after the last received event.
 *
 *     waiting ─ said, delta ───────→ shown, above the typing dots
 *     shown ─ delta ───────────────→ shown: the last bubble grows, until the button in the dock stops it
 *     shown ─ restart ─────────────→ shown: the last bubble starts again
 *     shown ─ said ────────────────→ shown: the growing bubble is complete, and other bubbles may follow
 *     any ─ step, error ───────────→ over
 *     any ─ silence, or the end ───→ lost; after reconnecting shown, or waiting if nothing had arrived
 */
export async function follow(chat: Chat, response: Response, request: PageRequest): Promise<Response> {
  const { headers } = request;
  const stream = streams.get(request) ?? begin(chat, request);
  streams.set(request, stream);
  const { session } = chat;
  // Without this header, the service sends the step from its start.
  if (headers["Last-Event-ID"] === undefined) Object.assign(stream, nothingYet);
  request.attempt = 0;
  if (chat.trouble) chat.view.update({ notice: undefined });
  chat.trouble = undefined;
  chat.isArriving = true;
  await loadBubbles([{ type: "growing" }]);
  show(chat, stream, request);
  try {
    for await (const { event, id, data } of eventsOf(response)) {
      const piece: unknown = JSON.parse(data);
      // The page now shows another chat, so this response is ignored.
      if (chat.session !== session) return new Response("{}");
      if (event === "step" || event === "error") chat.isArriving = false;
      if (event === "step") {
        endAnswer(chat, stream.growing);
        return new Response(data);
      }
      if (event === "error") return new Response(data, { status: numberAt(piece, "status") ?? 500 });
      if (id !== undefined) headers["Last-Event-ID"] = id;
      const { growing } = stream;
      hear(stream, event, piece);
      if (event === "said" && !stream.growing) endAnswer(chat, growing);
      if (event === "said") {
        rememberStart(chat, stream, request);
        await loadBubbles(stream.bubbles);
      }
      show(chat, stream, request);
    }
    throw new Error("The stream ended before the step");
  } finally {
    chat.view.update({ stop: undefined });
  }
}

const nothingYet = { bubbles: [], growing: undefined, hasArrived: false, isAnswering: false } as const;

function begin({ session, view }: Chat, { url }: PageRequest): Stream {
  // Without a session, the entries on the page belong to the start, which sends them again.
  const entries = session ? view.state().entries : [];
  const before = entries.map((entry) =>
    entry.kind === "answer" ? { ...entry, answer: { ...entry.answer, isUnderWay: false } } : entry,
  );
  const [, sessionId] = /\/sessions\/([^/]+)/.exec(url) ?? [];
  return { before, sessionId, ...nothingYet, isStopped: false };
}

function hear(stream: Stream, event: string, piece: unknown): void {
  const { growing } = stream;
  const blockId = textAt(piece, "blockId");
  stream.hasArrived = true;
  if (event === "said") {
    const { messages } = readStep(piece);
    // The event contains all messages of the step so far. If there are more than before, the growing bubble is complete
    // and is one of them.
    if (messages.length > stream.bubbles.length) Object.assign(stream, { growing: undefined, isAnswering: false });
    stream.bubbles = messages;
    stream.sessionId = textAt(piece, "sessionId") ?? stream.sessionId;
  } else if (event === "restart") stream.growing = undefined;
  else if (event === "delta" && blockId !== undefined) {
    const text = growing?.id === blockId ? growing.text : "";
    stream.growing = { id: blockId, text: text + (textAt(piece, "text") ?? "") };
    stream.isAnswering = true;
  }
}

function show(chat: Chat, stream: Stream, request: PageRequest): void {
  const { view, words } = chat;
  const { before, bubbles, growing, hasArrived, isAnswering, isStopped, sessionId } = stream;
  const isSeen = growing !== undefined && growing.text.trim() !== "";
  const shown = isSeen ? [...bubbles, { id: growing.id, type: "growing", content: growing }] : bubbles;
  const entries = [...before, ...shown.map((bubble) => ({ kind: "bubble", bubble }) as const)];
  const stop = async (): Promise<void> => {
    stream.isStopped = true;
    view.update({ stop: undefined });
    // If the request fails, the button reappears when more of the answer arrives.
    stream.isStopped = await sendStop(request, sessionId ?? "", chat.revision).catch(() => false);
  };
  view.update({
    isTyping: true,
    stop:
      isAnswering && !isStopped ? (
        <StopButton label={words.stop} onClick={stop} onShown={(button) => beginAnswer(chat, button)} />
      ) : undefined,
    ...(hasArrived && { entries }),
  });
}

async function sendStop(
  { url, headers }: PageRequest,
  sessionId: string,
  revision: number | undefined,
): Promise<boolean> {
  const address = url.replace(/\/api\/v1\/.*/, `/api/v1/sessions/${sessionId}/stopAnswer`);
  // If an answer is regenerated, the page does not know the number of the step before it.
  const afterRevision = url.endsWith("/continueChat") ? revision : undefined;
  const { ok } = await fetch(address, { method: "POST", headers, body: JSON.stringify({ afterRevision }) });
  return ok;
}

/** Stores the key of a start, so that the running start is found after a reload. */
function rememberStart({ session, memory, addressed }: Chat, stream: Stream, { headers, body }: PageRequest): void {
  const { sessionId } = stream;
  const key = headers["Idempotency-Key"];
  if (session || sessionId === undefined || key === undefined) return;
  const resultId = textAt(JSON.parse(body ?? "{}"), "resultId") ?? null;
  memory.write({ sessionId, resultId, addressed, pending: { message: null, key, after: 0 } });
}
