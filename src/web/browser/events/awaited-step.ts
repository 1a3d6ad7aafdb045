import { readSession, readStep, type Step } from "../../conversation/step.ts";
import { sleep } from "../actions/wait.ts";
import type { Chat } from "../chat-state.ts";
import { asRefused, Refused } from "../transport.ts";
import { eventsOf } from "./event-stream.ts";

/**
 * The result of waiting. `step` is a step that no message of this page caused. `question` is the same question again,
 * because the previous answer had no effect. `over` means that the chat can no longer be read.
 */
export type Awaited =
  | {
      readonly kind: "step";
      readonly step: Step;
      readonly before: Step | undefined;
      readonly revision: number | undefined;
    }
  | { readonly kind: "question"; readonly session: ReturnType<typeof readSession> }
  | { readonly kind: "over" };

/** Longer than the longest possible step. */
const longestStepMs = 280_000;
const hiddenMs = 60_000;
const firstPauseMs = 1_000;
const longestPauseMs = 8_000;

/**
 * Waits for a step that is caused by an external call or a time limit, or that was running when the page was drawn.
 * Returns undefined if there is no session, if the page shows another chat by then, or if `isWanted` returns false.
 *
 *     open ─ the newest step is already on the page ─→ open
 *     open ─ another step ───────────────────────────→ read
 *     open ─ lost, rejected, or ended after minutes ─→ read, after a pause
 *     open ─ hidden for a minute ────────────────────→ hidden
 *     hidden ─ visible again ────────────────────────→ read, after a pause
 *     read ─ the session has a new step ─────────────→ `step`
 *     read ─ it has the same question after minutes ─→ `question`
 *     read ─ the service rejects the request ────────→ `over`
 *     read ─ otherwise ──────────────────────────────→ open
 */
export async function awaitStep(chat: Chat, isWanted = (): boolean => true): Promise<Awaited | undefined> {
  const { session, transport } = chat;
  if (!session) return undefined;
  const since = Date.now();
  let after: string | undefined;
  let pauseMs = firstPauseMs;
  /** Resolves when the session may have a step that is not on this page. */
  const news = async (): Promise<void> => {
    const leftMs = since + longestStepMs - Date.now();
    const opened = openWhileSeen(leftMs > 0 ? leftMs : longestStepMs);
    try {
      const response = await transport.once(session.id, "events", {
        ...(after !== undefined && { headers: { "Last-Event-ID": after } }),
        signal: opened.signal,
      });
      for await (const { id, data } of eventsOf(response)) {
        pauseMs = firstPauseMs;
        const isKnown = after === undefined && isLastOf(chat, data);
        after = id;
        if (!isKnown) return;
      }
    } catch {
      // The stream was lost, hidden or unavailable. The session is read instead.
    } finally {
      opened.end();
    }
    await opened.seen();
    await sleep(pauseMs);
    pauseMs = Math.min(pauseMs * 1.5, longestPauseMs);
  };
  for (;;) {
    await news();
    if (chat.session !== session || !isWanted()) return undefined;
    const read = await transport.read(session.id).then(readSession).catch(asRefused);
    if (read instanceof Refused) return { kind: "over" };
    const [before, step] = read.steps.slice(chat.steps.length - 1);
    // If there are several new steps, only the first is shown. Its own number is used, because the page has not
    // received the last step.
    const isNewest = read.steps.length === chat.steps.length + 1;
    if (step) return { kind: "step", step, before, revision: isNewest ? read.revision : step.revision };
    // The service still has the same question open, so the answer had no effect.
    if (before?.input && Date.now() - since >= longestStepMs) return { kind: "question", session: read };
  }
}

/** Whether a response is the last step that the page has received. */
function isLastOf({ steps }: Chat, response: string): boolean {
  const last = steps.at(-1);
  return last !== undefined && contentOf(last) === contentOf(readStep(JSON.parse(response)));
}

/**
 * Returns the content of a step for a comparison with a response. The number, time, reply, payment and timeout of the
 * step are not compared.
 */
function contentOf({
  reply: _,
  createdAt: __,
  revision: ___,
  paid: ____,
  isTimeOver: _____,
  ...content
}: Step): string {
  return JSON.stringify(content);
}

/** Returns a signal that is aborted when the page has been hidden for a minute, or after `ms` milliseconds. */
function openWhileSeen(ms: number) {
  const controller = new AbortController();
  const abort = (): void => controller.abort();
  let hiding: ReturnType<typeof setTimeout> | undefined;
  const look = (): void => {
    clearTimeout(hiding);
    hiding = document.hidden ? setTimeout(abort, hiddenMs) : undefined;
  };
  const deadline = setTimeout(abort, ms);
  document.addEventListener("visibilitychange", look);
  look();
  return {
    signal: controller.signal,
    end(): void {
      clearTimeout(deadline);
      clearTimeout(hiding);
      document.removeEventListener("visibilitychange", look);
      abort();
    },
    /** Resolves when the page is visible. */
    seen(): Promise<void> {
      return new Promise((resolve) => {
        const check = (): void => {
          if (document.hidden) return;
          document.removeEventListener("visibilitychange", check);
          resolve();
        };
        document.addEventListener("visibilitychange", check);
        check();
      });
    },
  };
}
