import { at, filledTextAt, flagAt, isObject, textAt } from "../../conversation/read.ts";
import type { Bubble, Message } from "../../conversation/step.ts";
import { readCode, runAuthorCode } from "./author-code.ts";

/** A bubble that embeds another page or an author's code, with the means to continue the chat. */
export type Embed = {
  readonly bubble: Bubble;
  readonly container: HTMLElement;
  /** Whether the flow waits for a message from the bubble. */
  readonly isWaiting: boolean;
  /** Continues the chat with a message. A busy chat may store or ignore the message. */
  say(message: Message): void;
};

/**
 * Continues the chat if a window message is the event that the bubble waits for. Any window can post messages to this
 * one. A message therefore counts only if it comes from the bubble's frame, while the frame shows the page that the
 * author embedded.
 */
export function hear({ bubble, container, say }: Embed, event: MessageEvent): void {
  const wanted = at(bubble.content, "waitForEvent");
  if (bubble.type !== "embed" || flagAt(wanted, "isEnabled") !== true) return;
  const frame = container.querySelector<HTMLIFrameElement>(`iframe[data-embed="${CSS.escape(bubble.id)}"]`);
  if (!frame || event.source !== frame.contentWindow || event.origin !== new URL(frame.src).origin) return;
  const name = filledTextAt(wanted, "name");
  const data: unknown = event.data;
  if (name === undefined || textAt(data, "name") !== name) return;
  const isSaved = filledTextAt(wanted, "saveDataInVariableId") !== undefined && isObject(data);
  const value = isSaved ? (data["data"] ?? null) : null;
  say(isSaved ? { type: "text", text: typeof value === "string" ? value : JSON.stringify(value) } : null);
}

/**
 * Runs the author's functions of a custom embed. Each function runs at most once per element, and can continue the chat
 * with `continueFlow(text)`. If a function fails, the chat continues too.
 */
export async function fillCustomEmbed({ bubble, container, isWaiting, say }: Embed, nonce: string): Promise<void> {
  const element = container.querySelector(`[data-custom-embed="${CSS.escape(bubble.id)}"]`);
  if (!(element instanceof HTMLElement)) return;
  const continueFlow = (text: unknown): void => say(typeof text === "string" ? { type: "text", text } : null);
  const ours = [
    { name: "typebotElement", value: element },
    { name: "continueFlow", value: continueFlow },
  ];
  try {
    for (const name of ["initFunction", "waitForEventFunction"]) {
      const code = readCode(at(bubble.content, name));
      if (code.content === "" || (name === "waitForEventFunction" && !isWaiting)) continue;
      const ran = element.dataset["ran"] ?? "";
      if (ran.includes(name)) continue;
      element.dataset["ran"] = `${ran} ${name}`;
      const own = code.args.filter((arg) => !ours.some((one) => one.name === arg.name));
      await runAuthorCode({ ...code, args: [...own, ...ours] }, nonce);
    }
  } catch {
    say(null);
  }
}
