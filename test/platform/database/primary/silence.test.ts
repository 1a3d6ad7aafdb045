import { expect, test } from "bun:test";
import { array, asyncProperty, assert as check, constantFrom, integer, oneof } from "fast-check";
import { watchSilence } from "../../../../src/platform/database/primary/silence.ts";
import { createVirtualClock } from "../../../support/virtual-clock.ts";

const everyMs = 100;
const silenceMs = 1_000;

/** Simulates a socket. The test controls both ends. */
function createSocket() {
  let listener = (): void => {};
  const socket = {
    bytesWritten: 0,
    destroyed: false,
    isClosed: (): boolean => socket.destroyed,
    destroy() {
      socket.destroyed = true;
    },
    on(_event: "data", heard: () => void) {
      listener = heard;
    },
    write() {
      socket.bytesWritten += 10;
    },
    receive: () => listener(),
  };
  return socket;
}

function open() {
  const clock = createVirtualClock();
  const watch = watchSilence({ everyMs, silenceMs }, clock);
  const socket = createSocket();
  watch.add(socket);
  return { clock, watch, socket };
}

test("a connection without a response to its statement is closed", async () => {
  const { clock, watch, socket } = open();
  const idle = createSocket();
  watch.add(idle);

  socket.write();
  await clock.advance(silenceMs + 2 * everyMs);

  expect([socket.destroyed, idle.destroyed]).toEqual([true, false]);
});

test("a closed watch of silent connections leaves no timer", async () => {
  const { clock, watch } = open();

  watch.close();
  await clock.settle();

  expect(clock.timers()).toBe(0);
});

test("a connection is closed only after the full time limit without a response", async () => {
  // A number is a pause in milliseconds.
  const event = oneof(constantFrom("write", "receive"), integer({ min: 1, max: 1_500 }));
  await check(
    asyncProperty(array(event, { maxLength: 40 }), async (events) => {
      const { clock, socket } = open();
      let unansweredSince: number | undefined;
      for (const step of events) {
        if (socket.isClosed()) break;
        if (step === "write") {
          socket.write();
          unansweredSince ??= clock.now();
        } else if (step === "receive") {
          socket.receive();
          unansweredSince = undefined;
        } else if (typeof step === "number") {
          await clock.advance(step);
          const silentMs = unansweredSince === undefined ? 0 : clock.now() - unansweredSince;
          if (silentMs < silenceMs) expect(socket.isClosed()).toBe(false);
          if (silentMs >= silenceMs + 2 * everyMs) expect(socket.isClosed()).toBe(true);
        }
      }
    }),
  );
});
