import { at } from "../../conversation/read.ts";
import { readCode, runAuthorCode } from "../author-code/author-code.ts";
import type { RunAction } from "./action.ts";

/** Replies with the value of an author's expression, or with the expression's text where it fails. */
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
