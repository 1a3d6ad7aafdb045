import { expect, test } from "bun:test";
import { array, asyncProperty, assert as check, constant, constantFrom, nat, oneof, record } from "fast-check";
import { createShares } from "../../src/concurrency/shares.ts";
import { createVirtualClock } from "../support/virtual-clock.ts";

class Refused extends Error {}

function openShares() {
  const clock = createVirtualClock();
  const shares = createShares({
    width: 8,
    maxWaiting: 8,
    maxWaitMs: 1_000,
    shares: { session: 1 / 4, bot: 1 / 2 },
    refuse: () => new Refused("refused"),
    clock,
  });
  const running: { readonly owner: string; end(): void }[] = [];
  const refused: string[] = [];
  return {
    ...{ clock, shares, running, refused },
    arrive(bot: string, session?: string) {
      const task = () => {
        const { promise, resolve } = Promise.withResolvers<void>();
        running.push({ owner: `${bot} ${session}`, end: resolve });
        return promise;
      };
      shares.run({ bot, session }, task).catch((error: unknown) => {
        if (error instanceof Refused) refused.push(`${bot} ${session}`);
        else throw error;
      });
    },
    end: (index: number) => running.splice(index % running.length, 1)[0]?.end(),
    of: (owner: string) => running.filter((one) => one.owner.startsWith(owner)).length,
  };
}

test("one session takes its share, one bot its share, and others find places at once", async () => {
  const open = openShares();
  for (let count = 0; count < 100; count++) open.arrive("a", "a1");
  await open.clock.settle();
  expect([open.of("a a1"), open.shares.usage()]).toEqual([2, { running: 2, waiting: 2, refused: 96 }]);
  for (let session = 2; session < 100; session++) open.arrive("a", `a${session}`);
  await open.clock.settle();
  expect(open.of("a ")).toBe(4);
  open.arrive("b", "b1");
  open.arrive("c");
  await open.clock.settle();
  expect([open.of("b b1"), open.of("c")]).toEqual([1, 1]);
  // Who waits is refused in time; whoever runs does not hear of it.
  await open.clock.advance(10_000);
  expect(open.shares.usage()).toMatchObject({ running: 6, waiting: 0 });
});

test("whatever comes, ends and passes: no share is overdrawn, none is lost, and all end as running or refused", () =>
  check(
    asyncProperty(
      array(
        oneof(
          record({
            kind: constant("arrive" as const),
            bot: constantFrom("a", "b", "c"),
            session: constantFrom("1", "2", "3", undefined),
          }),
          record({ kind: constant("end" as const), index: nat(20) }),
          record({ kind: constant("advance" as const), ms: nat(1_500) }),
        ),
        { maxLength: 80 },
      ),
      async (moves) => {
        const open = openShares();
        let ended = 0;
        let arrived = 0;
        const end = (index: number) => {
          open.end(index);
          ended++;
        };
        for (const move of moves) {
          if (move.kind === "arrive") {
            open.arrive(move.bot, move.session && `${move.bot}${move.session}`);
            arrived++;
          } else if (move.kind === "advance") await open.clock.advance(move.ms);
          else if (open.running.length > 0) end(move.index);
          await open.clock.settle();
          const { running, waiting, refused } = open.shares.usage();
          expect(open.running.length).toBe(running);
          expect(running + waiting + refused + ended).toBe(arrived);
          expect(running).toBeLessThanOrEqual(8);
          for (const bot of ["a", "b", "c"]) expect(open.of(`${bot} `)).toBeLessThanOrEqual(4);
          for (const bot of ["a", "b", "c"])
            for (const session of [1, 2, 3]) expect(open.of(`${bot} ${bot}${session}`)).toBeLessThanOrEqual(2);
        }
        while (open.shares.usage().running > 0) {
          end(0);
          await open.clock.settle();
        }
        await open.clock.advance(5_000);
        expect(open.shares.usage()).toMatchObject({ running: 0, waiting: 0 });
        for (let count = 0; count < 2; count++) open.arrive("d", "d1");
        await open.clock.settle();
        expect([open.of("d"), open.clock.timers()]).toEqual([2, 0]);
      },
    ),
  ));
