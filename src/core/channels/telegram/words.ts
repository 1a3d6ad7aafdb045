import { textAt, valueAt } from "../../interpreter/flow.ts";
import type { ProviderMessage, ProviderWords } from "../channel.ts";

const mediaKeys = ["photo", "video", "audio", "voice", "document", "animation"];

/** The text or the caption of a message, else the address of its file, and the titles of its buttons. */
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
