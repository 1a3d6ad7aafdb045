import { afterEach, expect, jest, test } from "bun:test";
import type { Chat } from "../../../src/web/browser/chat-state.ts";
import { awaitStep } from "../../../src/web/browser/events/awaited-step.ts";
import { follow } from "../../../src/web/browser/events/streaming.tsx";
import { showTrouble } from "../../../src/web/browser/notices.ts";
import { createTransport } from "../../../src/web/browser/transport.ts";
import { createView } from "../../../src/web/browser/view.ts";
import { wordsOf } from "../../../src/web/conversation/words.ts";

const replaced = ["document", "addEventListener", "removeEventListener"] as const;
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

test("a request that fails after a streamed answer is complete is not reported as a delayed answer", async () => {
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

test("a page that waits longer than the longest step reads its session again after a request without a response", async () => {
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
