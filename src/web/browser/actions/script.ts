import { at } from "../../conversation/read.ts";
import { readCode, runAuthorCode } from "../author-code/author-code.ts";
import type { RunAction } from "./action.ts";

/** Runs an author's code and ignores what it returns. A failure is logged, and the chat continues. */
export const runScript: RunAction = async (action, { nonce, isAuthorCodeDisabled, log }) => {
  if (isAuthorCodeDisabled) return null;
  const payload = at(action, action.type);
  const code = readCode(at(payload, "scriptToExecute") ?? payload);
  try {
    await runAuthorCode(code, nonce);
  } catch (error) {
    log("A script failed in the visitor's browser", error);
  }
  return null;
};
