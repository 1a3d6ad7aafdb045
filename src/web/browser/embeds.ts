import { at, filledTextAt, flagAt, isObject, textAt } from "../conversation/read.ts";
import type { Bubble, Message } from "../conversation/step.ts";
import { readCode, runAuthorCode } from "./author-code.ts";

/** What an embedded page has to say for the chat to go on. */
export type Heard = (message: Message) => void;

/** The message of an embedded page, where it is the one that a bubble waits for. */
export function eventOf(bubble: Bubble, event: MessageEvent): { readonly message: Message } | undefined {
  const wanted = at(bubble.content, "waitForEvent");
  if (bubble.type !== "embed" || flagAt(wanted, "isEnabled") !== true) return undefined;
  const name = filledTextAt(wanted, "name");
  const data: unknown = event.data;
  if (name === undefined || textAt(data, "name") !== name) return undefined;
  if (filledTextAt(wanted, "saveDataInVariableId") === undefined || !isObject(data)) return { message: null };
  const value = data["data"];
  return { message: { type: "text", text: typeof value === "string" ? value : JSON.stringify(value ?? null) } };
}

/**
 * Fills the place of a custom embed by the author's code, which finds it as `typebotElement` and may go on with
 * `continueFlow(text)`.
 */
export async function fillCustomEmbed(
  bubble: Bubble,
  { element, nonce, isWaiting, hear }: { element: HTMLElement; nonce: string; isWaiting: boolean; hear: Heard },
): Promise<void> {
  const continueFlow = (text: unknown): void => hear(typeof text === "string" ? { type: "text", text } : null);
  const given = [
    { name: "typebotElement", value: element },
    { name: "continueFlow", value: continueFlow },
  ];
  for (const name of ["initFunction", "waitForEventFunction"]) {
    const code = readCode(at(bubble.content, name));
    if (code.content === "" || (name === "waitForEventFunction" && !isWaiting)) continue;
    const own = code.args.filter((arg) => !given.some((one) => one.name === arg.name));
    await runAuthorCode({ ...code, args: [...own, ...given] }, nonce);
  }
}
