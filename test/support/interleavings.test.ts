import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import fc from "fast-check";
import { connect } from "../../src/platform/database/sql.ts";
import { actAtOnce, createInterleavings, type Interleavings, storyMs } from "./interleavings.ts";
import { createVirtualClock, type VirtualClock } from "./virtual-clock.ts";
import { waitFor } from "./wait.ts";

let clock: VirtualClock;
let place: Interleavings;

beforeEach(async () => {
  clock = createVirtualClock();
  place = await createInterleavings({ clock });
});
afterEach(() => place.close());

/** Returns the messages of a failed check and of its cause. */
async function failureOf(check: Promise<void>): Promise<string> {
  try {
    await check;
  } catch (error) {
    const cause = error instanceof Error ? error.cause : undefined;
    return `${String(error)}\n${String(cause)}`;
  }
  return "it did not fail";
}

test("a hanging story is aborted with a report of its blockers", async () => {
  const owner = await place.nodes[0].makeUser();
  const workspaceId = await place.nodes[0].makeWorkspace(owner);
  const locker = connect(place.nodes[0].databaseUrl, { connections: 1 });
  const over = Promise.withResolvers<void>();
  const locked = Promise.withResolvers<void>();
  const lock = locker.begin(async (sql) => {
    await sql`select 1 from workspaces where id = ${workspaceId} for update`;
    locked.resolve();
    await over.promise;
  });
  await locked.promise;
  const path = `/api/v1/workspaces/${workspaceId}`;
  const asked: string[] = [];
  const blocked = async () => {
    const [row] = await place.nodes[0].deps.sql<[{ count: number }]>`
      select count(*)::integer as count from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
    return row.count;
  };

  const told = failureOf(
    place.check(
      fc.constant(path),
      async (story) => {
        asked.push(story);
        await place.send(1, "DELETE", story, { token: owner.token, body: {} });
      },
      6,
    ),
  );
  await waitFor(async () => (await blocked()) > 0, { what: "the request to wait in the database" });
  await clock.advance(storyMs);
  const failure = await told;
  over.resolve();
  await lock;
  await locker.end();

  expect(asked).toEqual([path]);
  expect(failure).toContain("The story stood still for 30000 ms.");
  expect(failure).toMatch(new RegExp(`- DELETE ${path} at node 1, for \\d+ ms`));
  expect(failure).toMatch(/- \d+ is active for \d+ ms waits for \d+: select 1 from workspaces/);
  expect(failure).toMatch(/- \d+ is idle in transaction for \d+ ms: select 1 from workspaces/);
});

test("a failed story runs only once, and is printed unchanged", async () => {
  const told: number[][] = [];
  const failure = await failureOf(
    place.check(
      fc.array(fc.nat(), { minLength: 20, maxLength: 20 }),
      async (story) => {
        told.push(story);
        throw new Error("two acts met");
      },
      6,
    ),
  );

  expect(told).toHaveLength(1);
  expect(failure).toContain("two acts met");
  expect(failure).toContain(JSON.stringify(told[0]));
});

describe("two writers", () => {
  test("two writers perform five actions, at most two at a time", async () => {
    const done: number[] = [];
    let [now, most] = [0, 0];
    await actAtOnce([1, 2, 3, 4, 5], 2, async (act) => {
      most = Math.max(most, ++now);
      await Bun.sleep(0);
      done.push(act);
      now--;
    });

    expect(done.toSorted()).toEqual([1, 2, 3, 4, 5]);
    expect(most).toBe(2);
  });

  test("writers start no further action after a failed action", async () => {
    const answer = Promise.withResolvers<void>();
    const begun: number[] = [];
    let isThrown = false;
    const acts = actAtOnce([1, 2, 3, 4], 2, async (act) => {
      begun.push(act);
      if (act === 1) throw new Error("act 1");
      await answer.promise;
    }).finally(() => {
      isThrown = true;
    });
    acts.catch(() => {});
    await Bun.sleep(0);

    expect([begun, isThrown]).toEqual([[1, 2], false]);
    answer.resolve();
    await expect(acts).rejects.toThrow("act 1");
    expect(begun).toEqual([1, 2]);
    await waitFor(() => isThrown);
  });
});
