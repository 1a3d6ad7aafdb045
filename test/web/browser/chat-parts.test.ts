import { afterEach, expect, jest, test } from "bun:test";
import { othersOf } from "../../../src/web/browser/acts/other-chats.ts";
import type { Chat } from "../../../src/web/browser/chat-state.ts";
import { awaitStep } from "../../../src/web/browser/events/awaited-step.ts";
import { follow } from "../../../src/web/browser/events/streaming.tsx";
import { showTrouble } from "../../../src/web/browser/notices.ts";
import { createTransport } from "../../../src/web/browser/transport.ts";
import { createView } from "../../../src/web/browser/view.ts";
import type { Entry } from "../../../src/web/conversation/transcript.ts";
import { wordsOf } from "../../../src/web/conversation/words.ts";

const replaced = ["document", "localStorage", "addEventListener", "removeEventListener"] as const;
const before = replaced.map((name) => [name, Object.getOwnPropertyDescriptor(globalThis, name)] as const);
afterEach(() => {
  jest.useRealTimers();
  for (const [name, own] of before) {
    if (own) Object.defineProperty(globalThis, name, own);
    else Reflect.deleteProperty(globalThis, name);
  }
});

function replace(globals: Partial<Record<(typeof replaced)[number], unknown>>): void {
  for (const [name, value] of Object.entries(globals))
    Object.defineProperty(globalThis, name, { value, configurable: true });
}

const words = wordsOf({ systemMessages: {} });
const transport = createTransport({ base: "", publicId: "bot" }, () => {});

function chatWith(parts: object): Chat {
  const view = createView(JSON.parse('{"entries":[]}'));
  const session = { id: "session", resultId: null };
  return Object.assign(JSON.parse("{}"), { view, words, transport, session, steps: [], ...parts });
}

test("a failure after a complete answer is not reported as an interrupted answer", async () => {
  replace({ addEventListener() {}, removeEventListener() {} });
  const chat = chatWith({ trouble: undefined, isArriving: false });
  const request = { url: "/api/v1/sessions/session/continueChat", headers: {}, attempt: 0 };
  const streamed = (lines: string) => follow(chat, new Response(lines), request);

  await expect(streamed(": open\n\n")).rejects.toThrow("The stream ended before the step");
  showTrouble(chat, "offline");
  expect(chat.view.state().notice?.text).toBe("The connection is lost. The answer continues when it is back.");

  await streamed('event: step\nid: 1\ndata: {"messages":[]}\n\n');
  showTrouble(chat, "offline");
  expect([words.offline, words.retrying]).toContain(chat.view.state().notice?.text ?? "");
});

test("a page that waits longer than the longest step reads its session again", async () => {
  replace({ document: { hidden: false, addEventListener() {}, removeEventListener() {} } });
  jest.useFakeTimers();
  let requests = 0;
  let reads = 0;
  const chat = chatWith({
    transport: {
      once(_: string, __: string, { signal }: { signal: AbortSignal }) {
        requests++;
        return new Promise((_resolve, reject) => signal.addEventListener("abort", () => reject(signal.reason)));
      },
      read: async () => void reads++,
    },
  });
  const awaited = awaitStep(chat, () => reads < 2);
  for (let second = 0; second < 1_000; second++) {
    jest.advanceTimersByTime(1_000);
    for (let turn = 0; turn < 10; turn++) await Promise.resolve();
  }

  expect({ requests, reads }).toEqual({ requests: 3, reads: 2 });
  expect(await awaited).toBeUndefined();
});

test("a resumed chat is listed with the time of its first message", () => {
  const stored = new Map<string, string>();
  replace({
    localStorage: {
      getItem: (name: string) => stored.get(name) ?? null,
      setItem: (name: string, value: string) => void stored.set(name, value),
    },
  });
  const settings = { remembering: "local", answers: { hasEarlierChats: true } };
  const chat = chatWith({ settings, memory: { key: "chats" } });
  const saying = (text: string, at?: string): Entry => ({
    ...{ kind: "answer", at },
    answer: { text, files: [], asked: { id: "i", type: "text input" } },
  });
  const keep = (id: string, entry: Entry) => {
    chat.session = { id, resultId: null };
    othersOf(chat).keep([entry]);
  };

  keep("middle", saying("Middle", "2026-02-01T10:00:00.000Z"));
  keep("old", saying("Old", "2026-01-01T10:00:00.000Z"));
  keep("new", saying("New"));
  keep("none", { kind: "note", text: "Noted" });

  expect(othersOf(chat).list()).toEqual([
    { sessionId: "new", words: "New", at: expect.any(String) },
    { sessionId: "middle", words: "Middle", at: "2026-02-01T10:00:00.000Z" },
    { sessionId: "old", words: "Old", at: "2026-01-01T10:00:00.000Z" },
  ]);
});
