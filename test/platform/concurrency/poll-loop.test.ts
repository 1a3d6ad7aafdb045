import { describe, expect, test } from "bun:test";
import { array, asyncProperty, assert as check, constant, integer, oneof, record } from "fast-check";
import { startPollLoop } from "../../../src/platform/concurrency/poll-loop.ts";
import { createVirtualClock } from "../../support/virtual-clock.ts";

const everyMs = 100;
const maxPauseMs = 300;

/** Opens a loop whose runs end when the test ends them. */
function openLoop({ startsWaiting = false } = {}) {
  const clock = createVirtualClock();
  const state = { runs: 0, isRunning: false, most: 0, isAborted: false, failures: 0, isStopped: false };
  let outcome = Promise.withResolvers<void>();
  const loop = startPollLoop({
    everyMs,
    maxPauseMs,
    startsWaiting,
    clock,
    async run(signal) {
      expect(state.isRunning).toBe(false);
      state.isRunning = true;
      state.runs++;
      outcome = Promise.withResolvers<void>();
      try {
        await outcome.promise;
      } finally {
        state.isRunning = false;
        state.isAborted = signal.aborted;
      }
    },
    onFailure: () => void state.failures++,
  });
  return {
    clock,
    state,
    wake: loop.wake,
    async stop() {
      await loop.stop();
      state.isStopped = true;
    },
    end: () => outcome.resolve(),
    fail: () => outcome.reject(new Error("This run fails")),
  };
}

/** Creates a model of the poll loop as a table of due times. */
function createModel() {
  let now = 0;
  let dueAt = 0;
  let failuresInARow = 0;
  let isWoken = false;
  const state = { runs: 0, isRunning: false, failures: 0 };
  const startIfDue = (): void => {
    if (state.isRunning || (!isWoken && now < dueAt)) return;
    state.isRunning = true;
    state.runs++;
    isWoken = false;
  };
  const finish = (failures: number): void => {
    if (!state.isRunning) return;
    state.isRunning = false;
    failuresInARow = failures === 0 ? 0 : failuresInARow + failures;
    state.failures += failures;
    dueAt = now + ([100, 200][failuresInARow] ?? maxPauseMs);
    startIfDue();
  };
  startIfDue();
  return {
    state,
    wake() {
      isWoken = true;
      startIfDue();
    },
    end: () => finish(0),
    fail: () => finish(1),
    advance(ms: number) {
      now += ms;
      startIfDue();
    },
  };
}

const moves = array(
  oneof(
    { weight: 3, arbitrary: constant({ kind: "end" as const }) },
    { weight: 3, arbitrary: constant({ kind: "fail" as const }) },
    { weight: 2, arbitrary: constant({ kind: "wake" as const }) },
    // An advance of any length starts at most one run, because a run continues until the test ends it.
    { weight: 5, arbitrary: record({ kind: constant("advance" as const), ms: integer({ min: 1, max: 450 }) }) },
  ),
  { maxLength: 60 },
);

test("the runs of a poll loop never overlap", () =>
  check(
    asyncProperty(moves, async (made) => {
      const [real, model] = [openLoop(), createModel()];
      await real.clock.settle();
      for (const move of made) {
        if (move.kind === "advance") {
          await real.clock.advance(move.ms);
          model.advance(move.ms);
        } else if (move.kind === "wake" || model.state.isRunning) {
          real[move.kind]();
          model[move.kind]();
        }
        await real.clock.settle();
        const { runs, isRunning, failures } = real.state;
        expect({ runs, isRunning, failures }).toEqual(model.state);
      }
    }),
  ));

describe("a poll loop", () => {
  test("a poll loop does not extend its pause after a failure by default", async () => {
    const clock = createVirtualClock();
    let runs = 0;
    const run = async () => {
      runs++;
      throw new Error("This run fails");
    };
    startPollLoop({ everyMs, clock, run, onFailure: () => {} });
    await clock.advance(9 * everyMs);

    expect(runs).toBe(10);
  });

  test("a poll loop can start with a pause", async () => {
    const { clock, state } = openLoop({ startsWaiting: true });
    await clock.advance(everyMs - 1);
    expect(state.runs).toBe(0);
    await clock.advance(1);

    expect(state.runs).toBe(1);
  });

  test("a poll loop stops immediately between two runs, and leaves no timer", async () => {
    const { clock, state, end, stop } = openLoop();
    await clock.settle();
    end();
    await clock.settle();
    await stop();
    await clock.advance(10 * everyMs);

    expect(state.runs).toBe(1);
    expect(clock.timers()).toBe(0);
  });

  test("stopping a poll loop aborts the current run, and waits for its end", async () => {
    const { clock, state, end, wake, stop } = openLoop();
    await clock.settle();
    wake();
    void stop();
    await clock.advance(10 * everyMs);
    expect(state.isStopped).toBe(false);
    end();
    await clock.settle();

    expect(state).toMatchObject({ isStopped: true, isAborted: true, runs: 1 });
  });
});
