import { expect, test } from "bun:test";
import { createGathering } from "../../../src/platform/concurrency/gather.ts";

function gathered<Answer>(serve: (name: string) => Promise<Answer>, clock: Parameters<typeof createGathering>[0]) {
  const gathering = createGathering(clock);
  return async (name: string): Promise<Answer> => {
    try {
      const turn = gathering.join();
      if (turn) await turn;
      return await serve(name);
    } finally {
      gathering.leave();
    }
  };
}

test("requests that arrive during a run are run together afterwards", async () => {
  const turns: (() => void)[] = [];
  const passed: string[] = [];
  const serve = gathered(
    async (name: string) => {
      passed.push(`${name} 1`);
      await null;
      passed.push(`${name} 2`);
      return name;
    },
    { setImmediate: (callback) => void turns.push(callback) },
  );

  expect(await serve("alone")).toBe("alone");
  expect({ turns: turns.length, passed }).toEqual({ turns: 0, passed: ["alone 1", "alone 2"] });

  const begun = Promise.withResolvers<string>();
  const slow = gathered(() => begun.promise, { setImmediate: (callback) => void turns.push(callback) });
  const first = slow("first");
  const second = slow("second");
  expect(turns.length).toBe(1);
  turns.shift()?.();
  begun.resolve("done");
  expect(await Promise.all([first, second])).toEqual(["done", "done"]);
  passed.length = 0;

  const held = serve("a");
  const together = [serve("b"), serve("c")];
  expect({ turns: turns.length, passed }).toEqual({ turns: 1, passed: ["a 1"] });
  await held;
  const later = serve("d");
  expect({ turns: turns.length, passed }).toEqual({ turns: 1, passed: ["a 1", "a 2"] });
  turns.shift()?.();
  await Promise.all([...together, later]);
  expect(passed.slice(2)).toEqual(["b 1", "c 1", "d 1", "b 2", "c 2", "d 2"]);

  const next = [serve("e"), serve("f")];
  expect({ turns: turns.length, last: passed.at(-1) }).toEqual({ turns: 1, last: "e 1" });
  turns.shift()?.();
  await Promise.all(next);
  expect(passed.slice(-2)).toEqual(["f 1", "f 2"]);
});

test("a failed request no longer counts as pending", async () => {
  const turns: (() => void)[] = [];
  const serve = gathered(
    async (name: string) => {
      if (name === "fails") throw new Error("It failed");
      return name;
    },
    { setImmediate: (callback) => void turns.push(callback) },
  );
  await expect(serve("fails")).rejects.toThrow("It failed");
  expect(await serve("alone")).toBe("alone");
  expect(turns.length).toBe(0);
});
