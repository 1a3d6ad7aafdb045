import type { JsonObject } from "../../interpreter/flow.ts";
import type { MarkedText, Span, SpanKind } from "../marked-text.ts";

const types: Readonly<Record<SpanKind, string>> = {
  bold: "bold",
  italic: "italic",
  underline: "underline",
  strikethrough: "strikethrough",
  code: "code",
  pre: "pre",
  link: "text_link",
  quote: "blockquote",
};

/**
 * Converts spans to Telegram's entities. Formatting is sent as entities and never with `parse_mode`. Entities need no
 * escaping, so no text can break them.
 */
export function entitiesOf({ spans }: MarkedText): JsonObject[] {
  return spans.map(({ kind, from, length, url, language }: Span) => ({
    type: types[kind],
    offset: from,
    length,
    ...(url !== undefined && { url }),
    ...(language !== undefined && { language }),
  }));
}

/** Returns a message body with the text under the given key. Entities are included if the text has any. */
export function textBody(text: MarkedText, key: "text" | "caption"): JsonObject {
  const entities = entitiesOf(text);
  return {
    [key]: text.text,
    ...(entities.length > 0 && { [key === "text" ? "entities" : "caption_entities"]: entities }),
  };
}
