import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { limits } from "../../../src/limits/index.ts";
import { openWorld, play, type Runs } from "../../support/step-world.ts";

const said = fc
  .array(fc.record({ hasEffect: fc.boolean(), isKeyed: fc.boolean() }), { minLength: 1, maxLength: 4 })
  .map((all) => all.map((one, index) => ({ ...one, word: `${one.hasEffect ? "effect" : "word"}-${index}` })));
const choices = fc.array(fc.nat(), { minLength: 1, maxLength: 60 });

test("two nodes process each reply exactly once, in any order of their statements", async () => {
  await fc.assert(
    fc.asyncProperty(said, choices, async (replies, order) => {
      const world = openWorld({ breaks: [], death: null });
      const [one, other] = world.nodes;
      const answers = Promise.all(
        replies.flatMap((reply, index) => {
          // A reply without a key is sent to only one node. A reply with a key is sent to both.
          const asked = reply.isKeyed ? [one, other] : [index % 2 === 0 ? one : other];
          return asked.map(async (node) => ({ reply, answer: await node(reply) }));
        }),
      );
      let isOver = false;
      const ending = answers.finally(() => {
        isOver = true;
      });
      await play(world, order, () => isOver);
      const given = await ending;

      expect(world.steps.map(({ word }) => word).toSorted()).toEqual(replies.map(({ word }) => word).toSorted());
      expect(given.filter(({ answer }) => !answer.isReplayed)).toHaveLength(replies.length);
      for (const { reply, answer } of given) expect(answer.response).toContain(reply.word);
      const withEffect = replies.filter(({ hasEffect }) => hasEffect);
      expect(world.performed).toHaveLength(withEffect.length);
    }),
    { numRuns: 150 },
  );
});

const breaks = fc.array(
  fc.record({
    node: fc.nat({ max: 1 }),
    statement: fc.nat({ max: 12 }),
    runs: fc.constantFrom<Runs[]>("not at all", "before", "after"),
  }),
  { maxLength: 3 },
);

test("a reply without a key is processed at most once", async () => {
  await fc.assert(
    fc.asyncProperty(said, breaks, choices, async (replies, broken, order) => {
      const world = openWorld({ breaks: broken, death: null });
      const answered = new Set<string>();
      let isOver = false;
      void Promise.all(
        replies.map(async (reply, index) => {
          const node = world.nodes[index % 2 === 0 ? 0 : 1];
          await node({ ...reply, isKeyed: false }).then(
            () => answered.add(reply.word),
            () => {},
          );
        }),
      ).then(() => {
        isOver = true;
      });
      await play(world, order, () => isOver);

      const words = world.steps.map(({ word }) => word);
      expect(isOver).toBe(true);
      expect(new Set(words).size).toBe(words.length);
      expect(words).toEqual(expect.arrayContaining([...answered]));
    }),
    { numRuns: 150 },
  );
});

test("a reply sent again with its key is neither lost nor duplicated", async () => {
  const death = fc.option(fc.nat({ max: 12 }));
  await fc.assert(
    fc.asyncProperty(said, breaks, death, choices, async (replies, broken, dying, order) => {
      const world = openWorld({ breaks: broken, death: dying });
      const [one, other] = world.nodes;
      let missing = replies.length;
      for (const reply of replies) {
        const keyed = { ...reply, isKeyed: true };
        void one(keyed).catch(() => {});
        const come = async (): Promise<void> => {
          const answer = await other(keyed).catch(() => undefined);
          if (answer === undefined) return come();
          missing--;
        };
        void come();
      }
      await play(world, order, () => missing === 0);

      const effectsBySeed = Map.groupBy(world.performed, ({ seed }) => seed).values();
      for (const effects of effectsBySeed) expect(new Set(effects.map(({ url }) => url)).size).toBe(1);
      expect(world.steps.map(({ word }) => word).toSorted()).toEqual(replies.map(({ word }) => word).toSorted());
    }),
    { numRuns: 150 },
  );
});

test("effects repeated after a node's death are identical and use the same key", async () => {
  await fc.assert(
    fc.asyncProperty(fc.nat({ max: 6 }), fc.boolean(), choices, async (dying, isLate, order) => {
      const world = openWorld({ breaks: [], death: dying });
      const [one, other] = world.nodes;
      const reply = { word: "effect", isKeyed: true };
      let isOver = false;
      void one(reply);
      if (isLate) await play(world, order, () => world.clock.now() > 20_000);
      void other(reply).then(() => {
        isOver = true;
      });
      await play(world, order, () => isOver);

      expect(world.steps).toHaveLength(1);
      expect(new Set(world.performed.map((effect) => JSON.stringify(effect))).size).toBe(1);
    }),
    { numRuns: 60 },
  );
});

describe("a step that is refused for a cached session", () => {
  test("a step that is refused on an outdated cached session runs again", async () => {
    const world = openWorld({ breaks: [], death: null });
    const [one, other] = world.nodes;
    const answered: string[] = [];
    const say = (node: typeof one, word: string) =>
      void node({ word, isKeyed: false }).then(({ response }) => answered.push(response));
    say(other, "word");
    await play(world, [0], () => answered.length === 1);
    say(one, "stale");
    await play(world, [0], () => answered.length === 2);

    expect(answered).toEqual(["word", "stale"]);
    expect([world.runs(), world.reads.length]).toEqual([3, 1]);
  });

  test("a refused step of a cached session runs again after another claim", async () => {
    const world = openWorld({ breaks: [], death: null });
    const [one, other] = world.nodes;
    const ended: unknown[] = [];
    const say = (node: typeof one, word: string) =>
      void node({ word, isKeyed: false }).then(
        ({ response }) => ended.push(response),
        (error: unknown) => ended.push(error),
      );
    say(other, "effect");
    await play(world, [0], () => world.performed.length === 1);
    say(one, "stale");
    // The fake service completes the effect only when no other work is left.
    await play(world, [1], () => ended.length === 2);

    expect(ended).toEqual(["effect", "stale"]);
  });

  test("a refused step of an unchanged cached session runs only once", async () => {
    const world = openWorld({ breaks: [], death: null });
    let refusal: unknown;
    void world.nodes[0]({ word: "stale", isKeyed: false }).catch((error: unknown) => {
      refusal = error;
    });
    await play(world, [0], () => refusal !== undefined);

    expect(refusal).toMatchObject({ code: "command.not_found" });
    expect([world.runs(), world.reads.length]).toEqual([1, 1]);
  });
});

describe("a step that has performed an effect", () => {
  /** The first node reads and claims the session, and then dies at its save. */
  const death = 2;

  test("a step that has performed an effect continues unchanged on another node", async () => {
    const world = openWorld({ breaks: [], death });
    const [one, other] = world.nodes;
    const reply = { word: "early", isKeyed: true };
    void one(reply);
    await play(world, [0], () => world.clock.now() > 20_000);
    let isOver = false;
    void other(reply).then(() => {
      isOver = true;
    });
    await play(world, [0], () => isOver);

    const [first, again, ...more] = world.performed;
    expect(first).toBeDefined();
    expect(again).toEqual(first);
    expect([world.steps.length, more.length]).toEqual([1, 0]);
  });

  test("a step that is refused after an effect releases its claim", async () => {
    const world = openWorld({ breaks: [], death: null });
    const [one, other] = world.nodes;
    let isClaimed: boolean | undefined;
    void one({ word: "effect-refused", isKeyed: false }).catch(() => {
      isClaimed = world.isClaimed();
    });
    await play(world, [0], () => isClaimed !== undefined);
    let isOver = false;
    void other({ word: "word", isKeyed: false }).then(() => {
      isOver = true;
    });
    await play(world, [0], () => isOver);

    expect(world.performed).toHaveLength(1);
    expect(isClaimed).toBe(false);
    expect(world.clock.now()).toBeLessThan(limits.claims.seconds * 1_000);
  });

  test("other requests poll an effect's claim with a growing interval", async () => {
    const world = openWorld({ breaks: [], death });
    const [one, other] = world.nodes;
    void one({ word: "effect", isKeyed: false });
    await play(world, [0], () => world.performed.length === 1 && world.pending.length === 0);
    let isOver = false;
    void other({ word: "word", isKeyed: false }).then(() => {
      isOver = true;
    });
    await play(world, [0], () => isOver);

    const pauses = world.reads.slice(1).map((at, index) => at - (world.reads[index] ?? 0));
    const { maxPollMs } = limits.claims;
    expect(pauses.at(-1)).toBeGreaterThanOrEqual(maxPollMs);
    // The test advances the time in steps of 250 ms.
    expect(Math.max(...pauses)).toBeLessThanOrEqual(maxPollMs + 250);
  });
});
