import { numberAt } from "../../conversation/read.ts";
import type { RunAction } from "./action.ts";

/** Waits for the number of seconds that the flow specifies. */
export const wait: RunAction = async (action) => {
  await sleep(Math.max(0, numberAt(action, "wait", "secondsToWaitFor") ?? 0) * 1000);
  return null;
};

export function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
