import { expect, test } from "bun:test";
import { EventEmitter } from "node:events";
import fc from "fast-check";
import { stopRequest } from "../../../src/platform/processes/stop-request.ts";
import { createVirtualClock } from "../../support/virtual-clock.ts";

const endMs = 50_000;

function openRequest(drainMs = 5_000) {
  const clock = createVirtualClock();
  const signals = new EventEmitter();
  const stop = stopRequest({ drainMs, endMs, clock, signals });
  const send = (signal: string) => signals.emit(signal, signal);
  return { clock, signals, stop, send };
}

test("SIGTERM stops the process after the waiting time for load balancers", async () => {
  const { clock, stop, send } = openRequest();

  send("SIGTERM");
  await clock.advance(4_999);
  expect(stop.state).toBe("leaving");
  await clock.advance(1);

  expect(stop.state).toBe("stopping");
  expect(stop.exitCode()).toBe(0);
});

test("SIGTERM stops the process immediately if the waiting time is 0", () => {
  const { stop, send } = openRequest(0);
  send("SIGTERM");
  expect(stop.state).toBe("stopping");
});

test.each(["SIGINT", "SIGHUP"])("%s stops the process immediately, without the time for balancers", (signal) => {
  const { clock, stop, send } = openRequest();
  send(signal);
  expect(stop.state).toBe("stopping");
  expect(clock.timers()).toBe(1);
});

test.each([
  { state: "stopping", ms: endMs - 1, exitCode: 0 },
  { state: "forced", ms: endMs, exitCode: 1 },
] as const)('the state of a stop is "$state" after $ms ms of stopping', async ({ state, ms, exitCode }) => {
  const { clock, stop, send } = openRequest();
  send("SIGINT");

  await clock.advance(ms);

  expect(stop.state).toBe(state);
  expect(stop.exitCode()).toBe(exitCode);
  if (state === "forced") await stop.forced;
});

test.each(["SIGTERM", "SIGINT"])(
  "a second %s ends the wait for balancers, and a third signal forces the end",
  async (signal) => {
    const { clock, stop, send } = openRequest();
    send("SIGTERM");
    await clock.advance(1_001);

    send(signal);
    expect(stop.state).toBe("stopping");
    await clock.advance(1_001);
    send(signal);

    expect(stop.state).toBe("forced");
    expect(stop.exitCode()).toBe(130);
  },
);

test("four signals within a second count as one signal", async () => {
  const { clock, stop, send } = openRequest();

  for (const ms of [0, 1, 499, 500]) {
    await clock.advance(ms);
    send("SIGINT");
  }

  expect(stop.state).toBe("stopping");
  expect(stop.exitCode()).toBe(0);
});

test("a failure stops the process immediately, with exit code 1", () => {
  const { clock, stop, send } = openRequest();
  send("SIGTERM");

  stop.fail();

  expect(stop.state).toBe("stopping");
  expect(stop.exitCode()).toBe(1);
  expect(clock.timers()).toBe(1);
});

test("no signal handler and no timer remains after the end of a stop", () => {
  const { clock, signals, stop, send } = openRequest();
  send("SIGTERM");

  stop.end();

  expect(signals.eventNames()).toEqual([]);
  expect(clock.timers()).toBe(0);
});

const order = ["serving", "leaving", "stopping", "forced"];

test("in any order of signals, a stop never returns to an earlier state", async () => {
  const events = fc.array(
    fc.oneof(fc.constantFrom("SIGTERM", "SIGINT", "SIGHUP", "fail"), fc.integer({ min: 0, max: 6_000 })),
    { maxLength: 30 },
  );
  await fc.assert(
    fc.asyncProperty(events, fc.constantFrom(0, 5_000), async (happening, drainMs) => {
      const { clock, stop, send } = openRequest(drainMs);
      let countedAt = Number.NEGATIVE_INFINITY;
      // The earliest time of the stop.
      let stoppedAt = Number.POSITIVE_INFINITY;
      for (const event of happening) {
        const before = stop.state;
        if (typeof event === "number") await clock.advance(event);
        else if (event === "fail") stop.fail();
        else send(event);

        const steps = order.indexOf(stop.state) - order.indexOf(before);
        expect(steps).toBeWithin(0, 3);
        if (stop.state === "forced" && before !== "forced") {
          expect(before).toBe("stopping");
          expect(event).not.toBe("fail");
          if (typeof event === "string") expect(clock.now() - countedAt).toBeGreaterThan(1_000);
          else expect(clock.now() - stoppedAt).toBeGreaterThanOrEqual(endMs);
        }
        if (typeof event === "string" && event !== "fail" && clock.now() - countedAt > 1_000) countedAt = clock.now();
        if (before !== "stopping" && stop.state === "stopping")
          stoppedAt = clock.now() - (typeof event === "number" ? event : 0);
        expect(clock.timers()).toBe(stop.state === "leaving" || stop.state === "stopping" ? 1 : 0);
      }
      if (happening.some((event) => typeof event === "string")) {
        await clock.advance(drainMs);
        expect(stop.state).toBeOneOf(["stopping", "forced"]);
        await stop.leaving;
        await stop.stopping;
      }
    }),
  );
});
