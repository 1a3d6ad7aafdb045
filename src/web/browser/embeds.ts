import { at, filledTextAt, flagAt, isObject, textAt } from "../conversation/read.ts";
import type { Bubble, Message } from "../conversation/step.ts";
import { readCode, runAuthorCode } from "./author-code.ts";

/** Sends the message with which an embedded page continues the chat. */
export type Say = (message: Message) => void;

/**
 * The reply that an event of the bubble's frame stands for; undefined where the bubble does not wait for this event. Any window may post
 * to ours: only the page that the author embedded is heard, and only while it is the one in the frame.
 */
export function replyToEvent(
  bubble: Bubble,
  { event, container }: { event: MessageEvent; container: HTMLElement },
): { readonly message: Message } | undefined {
  const wanted = at(bubble.content, "waitForEvent");
  if (bubble.type !== "embed" || flagAt(wanted, "isEnabled") !== true) return undefined;
  const frame = container.querySelector<HTMLIFrameElement>(`iframe[data-embed="${CSS.escape(bubble.id)}"]`);
  if (!frame || event.source !== frame.contentWindow || event.origin !== new URL(frame.src).origin) return undefined;
  const name = filledTextAt(wanted, "name");
  const data: unknown = event.data;
  if (name === undefined || textAt(data, "name") !== name) return undefined;
  if (filledTextAt(wanted, "saveDataInVariableId") === undefined || !isObject(data)) return { message: null };
  const value = data["data"];
  return { message: { type: "text", text: typeof value === "string" ? value : JSON.stringify(value ?? null) } };
}

/**
 * Runs the author's code of a custom embed: it fills the element `typebotElement` and may continue the chat with
 * `continueFlow(text)`.
 */
export async function fillCustomEmbed(
  bubble: Bubble,
  { element, nonce, isWaiting, say }: { element: HTMLElement; nonce: string; isWaiting: boolean; say: Say },
): Promise<void> {
  const continueFlow = (text: unknown): void => say(typeof text === "string" ? { type: "text", text } : null);
  const ours = [
    { name: "typebotElement", value: element },
    { name: "continueFlow", value: continueFlow },
  ];
  for (const name of ["initFunction", "waitForEventFunction"]) {
    const code = readCode(at(bubble.content, name));
    if (code.content === "" || (name === "waitForEventFunction" && !isWaiting)) continue;
    const own = code.args.filter((arg) => !ours.some((one) => one.name === arg.name));
    await runAuthorCode({ ...code, args: [...own, ...ours] }, nonce);
  }
}
