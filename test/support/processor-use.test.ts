import { expect, test } from "bun:test";
import { createProcessorUse, type Look, watchProcessorUse } from "./processor-use.ts";

const root = { pid: 1, parent: 0, start: "0", command: "bun\0test/run.ts\0", own: 1, ofEnded: 0 };
const worker = { pid: 2, parent: 1, start: "1", command: "bun\0test\0--test-worker\0", own: 20, ofEnded: 0 };
const browser = { pid: 3, parent: 2, start: "2", command: "/usr/bin/chromium\0--headless\0", own: 5, ofEnded: 0 };
const stranger = { pid: 9, parent: 8, start: "2", command: "/usr/bin/chromium\0", own: 100, ofEnded: 0 };

function secondsAfter(...looks: readonly (readonly Look[])[]) {
  const use = createProcessorUse(1);
  for (const look of looks) use.look(look);
  return Object.fromEntries(use.seconds());
}

test("the processor time of a run is counted by kind of process", () => {
  const backend = { ...browser, pid: 4, command: "postgres: parley test_1 [local] idle", own: 2 };
  const check = { ...worker, pid: 5, command: "bun\0node_modules/.bin/tsc\0--noEmit\0", own: 3 };
  const service = { ...browser, pid: 6, command: "bun\0/programs/cli.js\0serve\0", own: 4 };

  expect(secondsAfter([root, worker, browser, stranger, backend, check, service])).toEqual({
    tests: 21,
    browsers: 5,
    databases: 2,
    "format, lint and types": 3,
    "services and other programs": 4,
  });
});

test("a process still belongs to the run after its parent has ended", () => {
  const orphan = { ...browser, parent: 1_000, own: 8 };

  expect(secondsAfter([root, worker, browser], [root, orphan], [root])).toMatchObject({ tests: 21, browsers: 8 });
});

test("a reused process id counts as another process", () => {
  const later = { ...browser, start: "7", own: 2 };

  expect(secondsAfter([root, worker, browser], [root, worker, later])).toMatchObject({ browsers: 7 });
});

test("an ended process whose command is no longer known keeps its kind", () => {
  const ended = { ...worker, command: "", own: 30, ofEnded: 10 };

  expect(secondsAfter([root, worker], [root, ended])).toEqual({ tests: 31, "services and other programs": 10 });
});

test("the time of an unseen process counts as time of other programs", () => {
  const service = { ...browser, command: "bun\0/programs/cli.js\0serve\0", own: 4 };
  const later = { ...worker, ofEnded: 10 };

  expect(secondsAfter([root, worker, service], [root, later])).toMatchObject({
    tests: 21,
    // 4 when last seen, plus 6 of its later time or of other processes.
    "services and other programs": 10,
  });
});

test("the time of an ended process counts once", () => {
  const service = { ...browser, command: "bun\0/programs/cli.js\0serve\0", own: 4 };
  const later = { ...root, ofEnded: 26 };

  expect(secondsAfter([root, worker, service], [later])).toEqual({
    // 1 of the run, 20 of the worker when last seen, and 2 of the worker after that.
    tests: 23,
    "services and other programs": 4,
  });
});

test.skipIf(process.platform !== "linux")("the processor time of a child process is counted", async () => {
  const seconds = watchProcessorUse();
  const program = Bun.spawn([process.execPath, "-e", "while (process.cpuUsage().user < 200_000);"]);
  await program.exited;

  expect([...seconds().values()].reduce((sum, one) => sum + one, 0)).toBeGreaterThan(0.2);
});
