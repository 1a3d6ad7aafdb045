import { numberAt } from "../../conversation/read.ts";
import type { RunAction } from "./action.ts";

/** Waits as many seconds as the flow says. */
export const wait: RunAction = async (action) => {
  await sleep(Math.max(0, numberAt(action, "wait", "secondsToWaitFor") ?? 0) * 1000);
  return null;
};

export function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
