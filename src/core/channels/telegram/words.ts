import { textAt, valueAt } from "../../interpreter/flow.ts";
import type { ProviderMessage, ProviderWords } from "../channel.ts";

const mediaKeys = ["photo", "video", "audio", "voice", "document", "animation"];

/**
 * Returns the text or caption of a message and the titles of its buttons. Without a text, the address of the message's
 * file is returned.
 */
export function wordsOf({ body }: ProviderMessage): ProviderWords {
  const file = mediaKeys.map((key) => textAt(body, key)).find((address) => address !== undefined);
  const markup = body["reply_markup"];
  const rows = [valueAt(markup, "inline_keyboard"), valueAt(markup, "keyboard")].find(Array.isArray);
  const buttons: unknown[] = Array.isArray(rows) ? rows.flat() : [];
  return {
    text: textAt(body, "text") ?? textAt(body, "caption") ?? file ?? "",
    choices: buttons.flatMap((button) => (typeof button === "string" ? button : (textAt(button, "text") ?? []))),
  };
}
