import { expect, test } from "bun:test";
import {
  type EventSource,
  eventStream,
  type StreamedEvent,
  takesEvents,
} from "../../../src/platform/http/event-stream.ts";
import { createVirtualClock } from "../../support/virtual-clock.ts";

test("stream events that arrive within 40 ms are written together", async () => {
  const { clock, source, read } = open();
  const greeting = await read();
  source.tell("one");
  source.tell("two");
  const early = read();
  await clock.advance(39);
  source.tell("three");
  await clock.advance(1);
  const late = read();
  await clock.advance(100);
  source.tell("four");
  await clock.settle();

  expect(greeting).toBe(": under way\n\n");
  expect(await early).toBe("event: told\ndata: one\n\nevent: told\ndata: two\n\nevent: told\ndata: three\n\n");
  expect(await late).toBe("event: told\ndata: four\n\n");
});

test("a comment is written to an event stream after every ten seconds of silence", async () => {
  const { clock, source, read } = open();
  await read();
  const first = read();
  await clock.advance(10_000);
  const second = read();
  await clock.advance(10_000);
  const third = read();
  await clock.settle();
  source.tell("word");
  await clock.advance(40);

  expect([await first, await second]).toEqual([": still under way\n\n", ": still under way\n\n"]);
  expect(await third).toContain("data: word");
});

test("the end of the source closes the event stream and leaves no timer", async () => {
  const { clock, source, read } = open();
  await read();
  const rest = read();
  source.tell("last");
  source.end();
  await clock.advance(40);

  expect(await rest).toContain("data: last");
  expect(await read()).toBeUndefined();
  expect(source.hasLeft()).toBe(true);
  expect(clock.timers()).toBe(0);
});

test("an event stream releases its source after the client has left", async () => {
  const { clock, source, read, cancel } = open();
  await read();
  void read();
  await clock.settle();
  await cancel();

  expect(source.hasLeft()).toBe(true);
  expect(clock.timers()).toBe(0);
});

test.each([
  ["text/event-stream", true],
  ["application/json, text/event-stream;q=0.9", true],
  ["TEXT/EVENT-STREAM", true],
  ["*/*", false],
  ["text/event-streams", false],
  ["", false],
])("the header Accept %p requests an event stream: %p", (accept, isAsked) => {
  expect(takesEvents(new Headers({ Accept: accept }))).toBe(isAsked);
});

function open() {
  const clock = createVirtualClock();
  const source = createSource();
  const reader = eventStream(source, { clock }).body?.getReader();
  const read = async () => {
    const { value } = (await reader?.read()) ?? {};
    return value && new TextDecoder().decode(value);
  };
  return { clock, source, read, cancel: async () => reader?.cancel() };
}

/** Creates a source whose events the test sends. */
function createSource(): EventSource & { tell(data: string): void; end(): void; hasLeft(): boolean } {
  let waiting: StreamedEvent[] = [];
  let isOver = false;
  let hasLeft = false;
  let wake = (): void => {};
  return {
    more: () =>
      new Promise((resolve) => {
        if (waiting.length > 0 || isOver) resolve();
        wake = resolve;
      }),
    take() {
      const taken = waiting;
      waiting = [];
      return taken;
    },
    hasEnded: () => isOver && waiting.length === 0,
    leave() {
      hasLeft = true;
    },
    tell(data) {
      waiting.push({ event: "told", data });
      wake();
    },
    end() {
      isOver = true;
      wake();
    },
    hasLeft: () => hasLeft,
  };
}
