import { expect, test } from "bun:test";
import { array, asyncProperty, assert as check, constant, nat, oneof, record } from "fast-check";
import { createDeadlines } from "../../../src/platform/concurrency/deadlines.ts";
import { createVirtualClock } from "../../support/virtual-clock.ts";

class Late extends Error {}

function openDeadlines() {
  const clock = createVirtualClock();
  const deadlines = createDeadlines(clock);
  const ends: { readonly index: number; readonly how: string; readonly at: number }[] = [];
  const begun: { readonly dueAt: number; resolve(): void; reject(error: Error): void }[] = [];
  return {
    ...{ clock, ends, begun },
    begin(ms: number) {
      const { promise, resolve, reject } = Promise.withResolvers<string>();
      const index = begun.length;
      begun.push({ dueAt: clock.now() + ms, resolve: () => resolve("came"), reject });
      deadlines
        .within(ms, promise, () => new Late())
        .catch((error: unknown) => (error instanceof Late ? "late" : "failed"))
        .then((how) => ends.push({ index, how, at: clock.now() }));
    },
  };
}

test("a pending promise is rejected as late at its deadline", async () => {
  const open = openDeadlines();
  for (const ms of [1_000, 500, 2_000, 500]) open.begin(ms);
  open.begun[0]?.resolve();
  open.begun[1]?.reject(new Error("broken"));
  await open.clock.advance(3_000);
  open.begun[2]?.resolve();
  await open.clock.settle();

  expect(open.ends).toEqual([
    { index: 0, how: "came", at: 0 },
    { index: 1, how: "failed", at: 0 },
    { index: 3, how: "late", at: 500 },
    { index: 2, how: "late", at: 2_000 },
  ]);
});

test("one timer serves a hundred waiters", async () => {
  const open = openDeadlines();
  for (let count = 0; count < 100; count++) open.begin(1_000 - count);
  expect(open.clock.timers()).toBe(1);
  for (const one of open.begun) one.resolve();
  await open.clock.advance(1_000);

  expect(open.ends.map(({ how }) => how)).toEqual(Array.from({ length: 100 }, () => "came"));
  expect(open.clock.timers()).toBe(0);
});

test("each wait ends once, with its result or at its deadline", () =>
  check(
    asyncProperty(
      array(
        oneof(
          record({ kind: constant("begin" as const), ms: nat(100) }),
          record({ kind: constant("come" as const), index: nat(20) }),
          record({ kind: constant("advance" as const), ms: nat(60) }),
        ),
        { maxLength: 60 },
      ),
      async (moves) => {
        const open = openDeadlines();
        const cameAt = new Map<number, number>();
        for (const move of moves) {
          if (move.kind === "begin") open.begin(move.ms);
          else if (move.kind === "advance") await open.clock.advance(move.ms);
          else if (open.begun.length > 0) {
            const index = move.index % open.begun.length;
            if (!cameAt.has(index)) cameAt.set(index, open.clock.now());
            open.begun[index]?.resolve();
          }
          await open.clock.settle();
        }
        await open.clock.advance(1_000);

        const expected = open.begun.map(({ dueAt }, index) => {
          const at = cameAt.get(index);
          return at !== undefined && at < dueAt ? { index, how: "came", at } : { index, how: "late", at: dueAt };
        });
        const tie = (index: number) => cameAt.get(index) === open.begun[index]?.dueAt;
        expect(open.ends.toSorted((a, b) => a.index - b.index).filter(({ index }) => !tie(index))).toEqual(
          expected.filter(({ index }) => !tie(index)),
        );
        expect(open.ends).toHaveLength(open.begun.length);
        expect(open.clock.timers()).toBe(0);
      },
    ),
  ));
