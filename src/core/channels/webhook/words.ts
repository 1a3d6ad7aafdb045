import { textAt, valueAt } from "../../interpreter/flow.ts";
import type { ProviderMessage, ProviderWords } from "../channel.ts";

/** Returns the text of a message and the titles of its choices. Without a text, the URL in the message is returned. */
export function wordsOf({ body }: ProviderMessage): ProviderWords {
  const asks = body["asks"];
  const choices = [asks, ...listAt(asks, "cards")].flatMap((place) => listAt(place, "choices"));
  return {
    text: textAt(body, "text") ?? textAt(body, "url") ?? "",
    choices: choices.flatMap((choice) => textAt(choice, "title") ?? []),
  };
}

function listAt(place: unknown, key: string): unknown[] {
  const found = valueAt(place, key);
  return Array.isArray(found) ? found : [];
}
