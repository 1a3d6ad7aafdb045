import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { saveOnce } from "../../../src/chat/steps/run-and-save.ts";
import { AppError } from "../../../src/errors.ts";
import { limits } from "../../../src/limits/index.ts";
import { databaseError } from "../../support/database-errors.ts";
import { createVirtualClock } from "../../support/virtual-clock.ts";

type Weather = "fine" | "refuses" | "loses before" | "loses after" | "is a bug";

const codes: Readonly<Record<Exclude<Weather, "fine">, string>> = {
  refuses: "53100",
  "loses before": "CONNECTION_CLOSED",
  "loses after": "CONNECTION_CLOSED",
  "is a bug": "42601",
};

function failure(weather: Exclude<Weather, "fine">): Error {
  return databaseError(codes[weather], { message: weather });
}

/**
 * Simulates a table with a row that can be saved once. The statements have the given outcomes in turn, and later
 * statements have the last outcome.
 */
function createTable(weathers: readonly Weather[]) {
  let rows = 0;
  let statement = 0;
  const next = () => weathers[Math.min(statement++, weathers.length - 1)] ?? "fine";
  return {
    rows: () => rows,
    statements: {
      async save() {
        const weather = next();
        const isFirst = rows === 0;
        if (isFirst && (weather === "fine" || weather === "loses after")) rows++;
        if (weather !== "fine") throw failure(weather);
        return isFirst;
      },
      async isSaved() {
        const weather = next();
        if (weather === "fine") return rows === 1;
        throw failure(weather);
      },
    },
  };
}

async function outcomeOf(weathers: readonly Weather[], hasEffects: boolean) {
  const clock = createVirtualClock();
  const table = createTable(weathers);
  const settled = saveOnce(clock, table.statements, { hasEffects }).then(
    (isSaved) => ({ isSaved, error: undefined }),
    (error: unknown) => ({ isSaved: undefined, error }),
  );
  await clock.advance(2 * limits.step.doubtMs);
  return { ...(await settled), rows: table.rows(), tookMs: clock.now() };
}

const weathers = fc.array(fc.constantFrom<Weather>("fine", "refuses", "loses before", "loses after", "is a bug"), {
  minLength: 1,
  maxLength: 12,
});

test("a step is saved at most once", async () => {
  await fc.assert(
    fc.asyncProperty(weathers, fc.boolean(), async (given, hasEffects) => {
      const { isSaved, error, rows } = await outcomeOf(given, hasEffects);
      if (isSaved !== undefined) expect(rows).toBe(isSaved ? 1 : 0);
      const isInDoubt = error instanceof AppError && error.code === "server.save_in_doubt";
      // After an error, no row exists, unless the outcome is uncertain or a response was lost.
      if (error !== undefined && !isInDoubt && !given.includes("loses after")) expect(rows).toBe(0);
    }),
  );
});

test("a statement that the database rejects is reported as failed", async () => {
  const { error, rows } = await outcomeOf(["refuses", "fine"], false);

  expect(error).toMatchObject({ code: "53100" });
  expect(rows).toBe(0);
});

test("a programming error is reported unchanged", async () => {
  expect((await outcomeOf(["is a bug"], false)).error).toMatchObject({ code: "42601" });
});

test("a refused step with effects is saved once the database accepts it", async () => {
  const { isSaved, rows } = await outcomeOf(["refuses", "refuses", "refuses", "fine", "fine"], true);

  expect(isSaved).toBe(true);
  expect(rows).toBe(1);
});

test("a step with effects finally fails if the database keeps rejecting it", async () => {
  expect((await outcomeOf(["refuses"], true)).error).toMatchObject({ code: "53100" });
});

test("a refusal after a lost connection leaves the save uncertain", async () => {
  const { error } = await outcomeOf(["loses after", "refuses"], false);

  expect(error).toMatchObject({ code: "server.save_in_doubt" });
});

describe("an uncertain save", () => {
  async function settle(answers: readonly (boolean | string)[]) {
    const clock = createVirtualClock();
    const asked: string[] = [];
    const waiting = [...answers];
    const answer = async (statement: string): Promise<boolean> => {
      asked.push(`${statement} ${clock.now()}`);
      const next = waiting.shift();
      if (typeof next === "boolean") return next;
      throw databaseError(String(next));
    };
    const settled = saveOnce(
      clock,
      {
        save: ({ isInDoubt }) => answer(isInDoubt ? "save again" : "save"),
        isSaved: () => answer("look"),
      },
      { hasEffects: false },
    ).catch((error: unknown) => error);
    await clock.advance(2 * limits.step.doubtMs);
    return { asked, settled: await settled };
  }
  const [lost, isABug, isThere] = ["CONNECTION_CLOSED", "42601", "23505"];

  test("a step whose row exists is not saved again", async () => {
    expect(await settle([lost, true])).toEqual({ asked: ["save 0", "look 500"], settled: true });
  });

  test("a step that is saved on the second attempt needs no further read", async () => {
    const asked = ["save 0", "look 500", "save again 500"];

    expect(await settle([lost, false, true])).toEqual({ asked, settled: true });
  });

  test("a second broken connection is followed by another read", async () => {
    const asked = ["save 0", "look 500", "save again 500", "look 1000"];

    expect(await settle([lost, false, lost, true])).toEqual({ asked, settled: true });
  });

  test.each([[false], [isThere]])(
    "a first attempt that succeeds during the second attempt counts as saved (second result: %p)",
    async (second) => {
      expect((await settle([lost, false, second, true, true])).settled).toBe(true);
    },
  );

  test("a step is not saved if another step was saved first", async () => {
    expect((await settle([lost, false, false, false])).settled).toBe(false);
  });

  test("the database is not queried after the time limit of an uncertain save", async () => {
    const { asked, settled } = await settle(Array.from({ length: 1_000 }, () => lost));

    expect(asked).toHaveLength(limits.step.doubtMs / 500);
    expect(settled).toMatchObject({ code: "server.save_in_doubt" });
  });

  test("a programming error in the second attempt is reported unchanged", async () => {
    expect((await settle([lost, false, isABug, false])).settled).toMatchObject({ code: isABug });
  });
});
