import { describe, expect, test } from "bun:test";
import {
  type AskedServer,
  createPrimaryMemory,
  judge,
  memoryOf,
  missingNote,
  remember,
  type ServerIdentity,
  snapshotOf,
  type TimelineNote,
} from "../../../../src/platform/database/primary/primary-judgement.ts";

const noteOf = (note: Partial<TimelineNote>): TimelineNote => ({
  systemId: "ours",
  timeline: 1,
  epoch: 0,
  reportedEpoch: 0,
  ...note,
});

function writer(host: string, identity: Partial<ServerIdentity> = {}): AskedServer {
  const known = { systemId: "ours", timeline: 1, startedAt: host, notes: [], ...identity };
  return { server: { host, port: 5432 }, state: { kind: "writer", identity: known } };
}

function judged(asked: readonly AskedServer[], memory = createPrimaryMemory()): unknown {
  remember(memory, asked);
  const { primary, refused } = judge(asked, memory);
  return primary?.host ?? refused.map(({ server, why }) => `${server.host} ${why.kind}`);
}

describe("the choice between servers that accept writes", () => {
  test("a server that has recorded a later timeline than its own is rejected", () => {
    expect(judged([writer("db1", { notes: [noteOf({ timeline: 2 })] })])).toEqual(["db1 older"]);
  });

  test("an operator's choice overrides a later timeline", () => {
    const chosen = writer("db1", { notes: [noteOf({ epoch: 1, reportedEpoch: 1 })] });
    const told = writer("db2", { timeline: 2, notes: [noteOf({ timeline: 2, reportedEpoch: 1 })] });

    expect(judged([told, chosen])).toBe("db1");
    expect(judged([told])).toEqual(["db2 overruled"]);
  });

  test("timelines from before an operator's choice are ignored", () => {
    const memory = createPrimaryMemory();
    judged([writer("db2", { timeline: 2 })], memory);

    expect(judged([writer("db1", { notes: [noteOf({ epoch: 1, reportedEpoch: 1 })] })], memory)).toBe("db1");
  });

  test("among servers that know an operator's choice, the latest timeline wins", () => {
    const notes = [noteOf({ epoch: 1, reportedEpoch: 1 })];

    expect(judged([writer("db1", { notes }), writer("db3", { timeline: 2, notes })])).toBe("db3");
  });

  test("a restored snapshot of the memory leads to the same choice of primary", () => {
    const memory = createPrimaryMemory();
    judged([writer("db2", { timeline: 2 })], memory);
    memory.served = "ours";

    expect(judged([writer("db1")], memoryOf(snapshotOf(memory)))).toEqual(["db1 older"]);
    expect(memoryOf(snapshotOf(memory))).toEqual(memory);
  });

  test("the current server is kept if no server identifies itself", () => {
    const hidden = ["db1", "db2"].map(
      (host): AskedServer => ({ server: { host, port: 1 }, state: { kind: "writer" } }),
    );

    expect(judge(hidden, createPrimaryMemory(), { host: "db2", port: 1 }).primary?.host).toBe("db2");
  });
});

test("a rejected server receives a report of the operator's choice", () => {
  const memory = createPrimaryMemory();
  const chosen = writer("db1", { notes: [noteOf({ epoch: 1, reportedEpoch: 1 })] });
  const refused = writer("db2", { timeline: 2 });
  remember(memory, [chosen, refused]);
  const known = { memory, judgement: judge([chosen, refused], memory) };

  expect(missingNote(refused, known)).toEqual(noteOf({ timeline: 2, reportedEpoch: 1 }));
  expect(missingNote(chosen, known)).toBeUndefined();
});
