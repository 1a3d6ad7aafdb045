import { expect, test } from "bun:test";
import { createGroups } from "../../src/concurrency/batcher.ts";
import { createRoad, type Road } from "../../src/concurrency/statement-gate.ts";

type Run = { readonly rows: readonly number[]; end(answers: readonly string[]): void; fail(error: unknown): void };

/** Groups whose statements end when the test says so. */
function openGroups(bounds: { most?: number; inFlight?: number; queue?: number; road?: Road } = {}) {
  const runs: Run[] = [];
  const groups = createGroups<number, string>({
    most: 3,
    inFlight: 1,
    queue: 100,
    ...bounds,
    isShared: (error) => error === gone,
    run(rows) {
      const { promise, resolve, reject } = Promise.withResolvers<readonly string[]>();
      runs.push({ rows, end: resolve, fail: reject });
      return promise;
    },
  });
  return { runs, groups };
}

const gone = new Error("The connection is gone");
const turn = () => new Promise<void>((resolve) => setImmediate(() => setImmediate(resolve)));
const outcome = (answer: Promise<string>) => answer.catch((error: unknown) => error);

test("a lone row goes at once, and what comes meanwhile travels together in the next statement", async () => {
  const { runs, groups } = openGroups();
  const first = groups.add(1);
  await turn();
  const others = [groups.add(2), groups.add(3), groups.add(4), groups.add(5)];
  await turn();
  expect(runs.map(({ rows }) => rows)).toEqual([[1]]);

  runs[0]?.end(["one"]);
  await turn();
  expect(runs.map(({ rows }) => rows)).toEqual([[1], [2, 3, 4]]);
  runs[1]?.end(["two", "three", "four"]);
  await turn();
  runs[2]?.end(["five"]);

  expect(await Promise.all([first, ...others])).toEqual(["one", "two", "three", "four", "five"]);
});

test("the next statement goes before the answers of the last one are given", async () => {
  const { runs, groups } = openGroups();
  const first = groups.add(1).then(() => runs.length);
  await turn();
  void groups.add(2);
  runs[0]?.end(["one"]);

  expect(await first).toBe(2);
});

test("half a group does not wait for the statement under way", async () => {
  const { runs, groups } = openGroups({ inFlight: 2 });
  void groups.add(1);
  await turn();
  for (const row of [2, 3]) void groups.add(row);
  await turn();

  expect(runs.map(({ rows }) => rows)).toEqual([[1], [2, 3]]);
});

test("groups that share a road gather rows during each other's statements, and who came first goes next", async () => {
  const road = createRoad();
  const [starts, steps, reads] = [1, 2, 3].map(() => openGroups({ most: 10, road }));
  if (!starts || !steps || !reads) throw new Error("There are three groups");
  const ran = () => [starts, steps, reads].map(({ runs }) => runs.map(({ rows }) => rows));
  void starts.groups.add(1);
  await turn();
  void outcome(reads.groups.add(2));
  await turn();
  for (const row of [3, 4]) void steps.groups.add(row);
  await turn();
  expect(ran()).toEqual([[[1]], [], []]);

  starts.runs[0]?.end(["one"]);
  await turn();
  expect(ran()).toEqual([[[1]], [], [[2]]]);
  reads.runs[0]?.fail(gone);
  await turn();
  expect(ran()).toEqual([[[1]], [[3, 4]], [[2]]]);
});

test("when a statement fails for a reason of its rows each is tried alone, and only the one to blame fails", async () => {
  const { runs, groups } = openGroups();
  const answers = [1, 2, 3].map((row) => outcome(groups.add(row)));
  const wrong = new Error("Row 2 is wrong");
  await turn();
  runs[0]?.fail(wrong);
  await turn();
  runs[1]?.end(["one"]);
  await turn();
  runs[2]?.fail(wrong);
  await turn();
  runs[3]?.end(["three"]);

  expect(await Promise.all(answers)).toEqual(["one", wrong, "three"]);
  expect(runs.map(({ rows }) => rows)).toEqual([[1, 2, 3], [1], [2], [3]]);
});

test("when the database is lost all of a group fail, and nothing is tried again", async () => {
  const { runs, groups } = openGroups();
  const answers = [1, 2].map((row) => outcome(groups.add(row)));
  await turn();
  runs[0]?.fail(gone);

  expect(await Promise.all(answers)).toEqual([gone, gone]);
  expect(runs).toHaveLength(1);
});

test("what comes when too many wait is told to come back later", async () => {
  const { runs, groups } = openGroups({ queue: 2 });
  const first = groups.add(1);
  await turn();
  const waiting = [groups.add(2), groups.add(3)];
  const refused = await outcome(groups.add(4));
  runs[0]?.end(["one"]);
  await turn();
  runs[1]?.end(["two", "three"]);

  expect(refused).toMatchObject({ code: "server.overloaded" });
  expect(await Promise.all([first, ...waiting])).toEqual(["one", "two", "three"]);
});
