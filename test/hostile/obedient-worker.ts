import { existsSync } from "node:fs";
import { threadId, workerData } from "node:worker_threads";
import type { AdvanceTask, TaskResult } from "../../src/core/tasks/messages.ts";

// A worker that obeys the name of its program instead of running steps.
const noStart = process.env["PARLEY_TEST_NO_START"];
if (noStart !== undefined && existsSync(noStart)) throw new Error("This thread does not start");

export default function obey(tasks: readonly AdvanceTask[]): TaskResult[] {
  return tasks.map(obeyOne);
}

function obeyOne({ program: { key: order } }: AdvanceTask): TaskResult {
  if (order === "run long" && workerData === "shared") return { answer: { kind: "tooLong" }, busyMs: 1 };
  if (order === "never end") for (;;);
  const [, what, given = "1"] = /^(hold|cost) (\S+)$/.exec(order) ?? [];
  while (what === "hold" && existsSync(given)) Bun.sleepSync(5);
  if (order === "exit") process.exit(7);
  const data = { threadId };
  if (order === "burn") return { answer: { kind: "refused", code: "step.over_budget", data }, busyMs: 5 };
  const busyMs = order === "take long" ? 2_000 : what === "cost" ? Number(given) : 1;
  return { answer: { kind: "refused", code: "command.not_found", data }, busyMs };
}
