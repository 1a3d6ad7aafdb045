import { expect, test } from "bun:test";
import fc from "fast-check";
import { createSlot, type Ending } from "../../../src/platform/processes/slot.ts";
import { createVirtualClock } from "../../support/virtual-clock.ts";

const drainMs = 30_000;

/** Opens a slot whose processes the test controls. */
function openSlot() {
  const clock = createVirtualClock();
  const running: { end(ending?: Ending): void; isLeaving: boolean; isDraining: boolean; isKilled: boolean }[] = [];
  const restarts: { ending: Ending; pauseMs: number; at: number }[] = [];
  const starts: number[] = [];
  const slot = createSlot({
    start(onEnd) {
      starts.push(clock.now());
      const process = {
        isLeaving: false,
        isDraining: false,
        isKilled: false,
        end(ending: Ending = { what: "signal SIGKILL" }) {
          running.splice(running.indexOf(process), 1);
          onEnd(ending);
        },
      };
      running.push(process);
      return {
        leave() {
          process.isLeaving = true;
        },
        drain() {
          process.isDraining = true;
        },
        kill() {
          process.isKilled = true;
        },
      };
    },
    onRestart: (ending, pauseMs) => restarts.push({ ending, pauseMs, at: clock.now() }),
    clock,
    drainMs,
  });
  return { clock, running, restarts, starts, slot };
}

test("an ended process is restarted after a pause that doubles, up to a limit", async () => {
  const { clock, running, restarts, slot } = openSlot();
  slot.listens();

  for (let death = 0; death < 12; death++) {
    running[0]?.end();
    await clock.advance(restarts.at(-1)?.pauseMs ?? 0);
    slot.listens();
  }

  expect(restarts.map(({ pauseMs }) => pauseMs)).toEqual([
    ...[100, 200, 400, 800, 1_600, 3_200, 6_400, 12_800],
    ...[15_000, 15_000, 15_000, 15_000],
  ]);
  expect(slot.restarts).toBe(12);
  expect(slot.state).toBe("serving");
});

test("the pause before a restart is reset after ten seconds of service", async () => {
  const { clock, running, restarts, slot } = openSlot();
  slot.listens();
  running[0]?.end();
  await clock.advance(100);
  slot.listens();

  await clock.advance(10_000);
  running[0]?.end();

  expect(restarts.map(({ pauseMs }) => pauseMs)).toEqual([100, 100]);
});

test("a first process that reports a start problem is not started again", async () => {
  const { clock, running, slot, starts } = openSlot();

  running[0]?.end({ what: "exit code 1", reason: "The port is taken." });
  await clock.advance(60_000);

  expect(await slot.started).toEqual({ what: "exit code 1", reason: "The port is taken." });
  expect(slot.state).toBe("failed");
  expect(starts).toHaveLength(1);
  expect(clock.timers()).toBe(0);
});

test("a first process that dies without a reported reason is started three times", async () => {
  const { clock, running, slot, starts } = openSlot();

  for (let attempt = 0; attempt < 3; attempt++) {
    running[0]?.end();
    await clock.advance(1_000);
  }

  expect(await slot.started).toEqual({ what: "signal SIGKILL" });
  expect(starts).toHaveLength(3);
});

test("a restarted process that reports a start problem is restarted again", async () => {
  const { clock, running, slot, starts } = openSlot();
  slot.listens();
  running[0]?.end();
  await clock.advance(100);

  running[0]?.end({ what: "exit code 1", reason: "The database is away." });
  await clock.advance(200);

  expect(slot.state).toBe("starting");
  expect(starts).toHaveLength(3);
});

test("a process that does not listen in time is killed", async () => {
  const { clock, running } = openSlot();

  await clock.advance(60_000);

  expect(running[0]?.isKilled).toBe(true);
});

test("a process that does not drain in time is killed, and the slot ends", async () => {
  const { clock, running, slot } = openSlot();
  slot.listens();

  slot.drain();
  expect(running[0]).toMatchObject({ isDraining: true, isKilled: false });
  await clock.advance(drainMs);
  expect(running[0]?.isKilled).toBe(true);
  running[0]?.end();
  await slot.ended;

  expect(slot.state).toBe("ended");
});

test("a process that shuts down is not replaced", async () => {
  const { clock, running, starts, slot } = openSlot();
  slot.listens();

  slot.leave();
  await clock.advance(10 * drainMs);
  expect(slot.state).toBe("leaving");
  expect(running[0]).toMatchObject({ isLeaving: true, isDraining: false, isKilled: false });
  running[0]?.end();
  await slot.ended;

  expect(slot.state).toBe("ended");
  expect(starts).toHaveLength(1);
});

test("a process that does not serve yet is drained immediately", async () => {
  const [starting, waiting] = [openSlot(), openSlot()];
  waiting.slot.listens();
  waiting.running[0]?.end();

  for (const { slot } of [starting, waiting]) slot.leave();

  expect(starting.slot.state).toBe("draining");
  expect(starting.running[0]).toMatchObject({ isLeaving: false, isDraining: true });
  expect(waiting.slot.state).toBe("ended");
  expect(waiting.clock.timers()).toBe(0);
});

type Event = "listens" | "ends" | "fails" | "leave" | "drain" | "kill" | number;

test("at most one process runs, in any order of actions", async () => {
  const events = fc.array(
    fc.oneof(
      { weight: 4, arbitrary: fc.constantFrom<Event>("listens", "ends", "fails") },
      { weight: 1, arbitrary: fc.constantFrom<Event>("leave", "drain", "kill") },
      { weight: 4, arbitrary: fc.integer({ min: 0, max: 70_000 }) },
    ),
    { maxLength: 40 },
  );
  await fc.assert(
    fc.asyncProperty(events, async (happening) => {
      const { clock, running, restarts, starts, slot } = openSlot();
      let startsAtEnd: number | undefined;
      for (const event of happening) {
        if (typeof event === "number") await clock.advance(event);
        else if (event === "ends") running[0]?.end();
        else if (event === "fails") running[0]?.end({ what: "exit code 1", reason: "No." });
        else slot[event]();
        if (event === "leave" || event === "drain" || event === "kill") startsAtEnd ??= starts.length;

        expect(running.length).toBeLessThanOrEqual(1);
        expect(running.length === 1).toBe(["starting", "serving", "leaving", "draining"].includes(slot.state));
        expect(starts.length).toBe(startsAtEnd ?? starts.length);
        if (slot.state === "ended" || slot.state === "failed") expect(clock.timers()).toBe(0);
        // A waiting slot has a timer. A starting slot has a timer, or its process has already been killed. Therefore no
        // slot waits forever.
        if (slot.state === "waiting") expect(clock.timers()).toBe(1);
        if (slot.state === "starting") expect(clock.timers() === 1 || running[0]?.isKilled).toBe(true);
      }
      for (const { pauseMs } of restarts) expect(pauseMs).toBeWithin(100, 15_001);
      // No process is restarted before its pause has passed.
      for (const [index, { at, pauseMs }] of restarts.entries()) {
        const next = starts[index + 1];
        if (next !== undefined) expect(next).toBe(at + pauseMs);
      }

      slot.drain();
      await clock.advance(drainMs);
      running[0]?.end();
      expect(["ended", "failed"]).toContain(slot.state);
    }),
  );
});
