import { numberAt } from "../../conversation/read.ts";
import type { RunAction } from "./action.ts";

/** Waits as many seconds as the flow says. */
export const wait: RunAction = async (action) => {
  const seconds = numberAt(action, "wait", "secondsToWaitFor") ?? 0;
  await new Promise((resolve) => setTimeout(resolve, Math.max(0, seconds) * 1000));
  return null;
};
