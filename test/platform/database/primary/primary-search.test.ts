import { expect, test } from "bun:test";
import { createPrimaryMemory, type ServerState } from "../../../../src/platform/database/primary/primary-judgement.ts";
import { askAndJudge } from "../../../../src/platform/database/primary/primary-search.ts";

const [old, standby] = [
  { host: "db1", port: 5432 },
  { host: "db2", port: 5432 },
];

function stateOf(kind: "reader" | "writer", timeline: number): ServerState {
  return { kind, identity: { systemId: "one", timeline, startedAt: String(timeline) } };
}

/** Creates a probe that returns one state after the other, and then repeats the last state. */
function probeOf(looks: readonly Promise<ServerState>[]) {
  const left = [...looks];
  return { look: () => (left.length > 1 ? left.shift() : left[0]) ?? Promise.reject(), note: async () => {} };
}

/** Searches for the primary as a process that has used timeline 1. */
async function search(looks: { old: Promise<ServerState>; standby: readonly Promise<ServerState>[] }) {
  const memory = createPrimaryMemory();
  memory.timelines.set("one", 1);
  const probes = [
    { server: old, probe: probeOf([looks.old]) },
    { server: standby, probe: probeOf(looks.standby) },
  ];
  return await askAndJudge(probes, { memory, url: "", silenceMs: 8_000, isNoting: false });
}

const never = new Promise<ServerState>(() => {});
const [reader, writer] = [Promise.resolve(stateOf("reader", 1)), Promise.resolve(stateOf("writer", 2))];

test("a promoted standby is found while the old primary is silent", async () => {
  const { judgement } = await search({ old: never, standby: [reader, reader, writer] });

  expect(judgement).toEqual({ primary: standby, refused: [] });
});

test("a server on a later timeline is used without waiting for the old one", async () => {
  const late = Promise.withResolvers<ServerState>();
  const searching = search({ old: late.promise, standby: [writer] });
  // The response comes too late for a search that does not wait, but in time for a search that does.
  const answering = setTimeout(() => late.resolve(stateOf("reader", 1)), 500);
  const { asked, judgement } = await searching;
  clearTimeout(answering);

  expect(judgement.primary).toEqual(standby);
  expect(asked[0]?.state.kind).toBe("away");
});

test("two servers that accept writes on one timeline are rejected", async () => {
  const { judgement } = await search({
    old: new Promise((resolve) => setTimeout(resolve, 50, stateOf("writer", 1))),
    standby: [Promise.resolve({ kind: "writer", identity: { systemId: "one", timeline: 1, startedAt: "later" } })],
  });

  expect(judgement.refused.map(({ why }) => why.kind)).toEqual(["tied", "tied"]);
});
