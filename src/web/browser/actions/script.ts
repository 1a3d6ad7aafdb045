import { at } from "../../conversation/read.ts";
import { readCode, runAuthorCode } from "../author-code/author-code.ts";
import type { RunAction } from "./action.ts";

/**
 * Runs an author's code and ignores its result. Does nothing if authors' code is disabled. If the code fails, the error
 * is logged and the chat continues.
 */
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

/**
 * Replies with the value of an author's expression as text. If the expression fails, replies with its source. If the
 * value is null or undefined, or if authors' code is disabled, the reply is empty.
 */
export const setVariable: RunAction = async (action, { nonce, isAuthorCodeDisabled, log }) => {
  if (isAuthorCodeDisabled) return null;
  const code = readCode(at(action, "setVariable", "scriptToExecute"));
  const content = code.content.includes("return ") ? code.content : `return ${code.content}`;
  try {
    const value = await runAuthorCode({ ...code, content }, nonce);
    if (value === undefined || value === null) return null;
    return { type: "text", text: typeof value === "string" ? value : JSON.stringify(value) };
  } catch (error) {
    log("The expression of a variable failed in the visitor's browser", error);
    return { type: "text", text: code.content };
  }
};
