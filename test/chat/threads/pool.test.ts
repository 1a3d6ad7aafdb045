import { afterEach, expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { createPool, type Pool } from "../../../src/chat/threads/pool.ts";
import type { AdvanceTask } from "../../../src/core/tasks/messages.ts";
import { temporaryFolder } from "../../support/folder.ts";
import { createVirtualClock } from "../../support/virtual-clock.ts";

const file = new URL("../../hostile/obedient-worker.ts", import.meta.url).href;
const idleMs = 1_000;

let pool: Pool | undefined;
afterEach(async () => {
  await pool?.close();
  pool = undefined;
});

function open() {
  const clock = createVirtualClock();
  const opened = createPool({ file, kind: "shared", batchMs: 30_000, idleMs, clock });
  pool = opened;
  const threadOf = async (key: string): Promise<unknown> => {
    const [result] = await opened.runBatch([taskOf(key)]);
    return result?.answer.kind === "refused" && result.answer.data["threadId"];
  };
  return { clock, pool: opened, threadOf };
}

function taskOf(key: string): AdvanceTask {
  return {
    program: { key, botId: "bot" },
    programs: [],
    context: { now: 0, seed: "0".repeat(32), isLive: false, contentFormat: "richText" },
    input: { kind: "start", resultId: null, isStreamEnabled: false, isOnlyRegistering: true, reply: null, options: {} },
  };
}

test("a thread ends after a long idle time", async () => {
  const { clock, pool, threadOf } = open();
  expect(pool.state()).toBe("missing");
  const running = threadOf("go");
  expect(pool.state()).toBe("starting");
  const first = await running;
  expect(pool.state()).toBe("running");

  await clock.advance(idleMs - 1);
  expect(await threadOf("go")).toBe(first);
  await clock.advance(idleMs - 1);
  expect(pool.state()).toBe("running");
  await clock.advance(1);
  expect(pool.state()).toBe("missing");

  expect(await threadOf("go")).not.toBe(first);
});

test("a health check of a thread does not keep the thread running", async () => {
  const { clock, pool, threadOf } = open();
  await threadOf("go");
  await clock.advance(idleMs - 1);
  await threadOf("");
  await clock.advance(1);

  expect(pool.state()).toBe("missing");
});

test("a running task keeps its thread running beyond the idle time", async () => {
  const { clock, pool, threadOf } = open();
  await threadOf("go");
  const folder = temporaryFolder();
  const held = join(folder.path, "held");
  writeFileSync(held, "");
  const task = threadOf(`hold ${held}`);
  await clock.advance(idleMs);

  expect(pool.state()).toBe("running");
  folder.remove();
  await task;
});
