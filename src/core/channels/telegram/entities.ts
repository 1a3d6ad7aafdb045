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

/** Entities, never `parse_mode`: they need no escaping, so no text can break them. */
export function entitiesOf({ spans }: MarkedText): JsonObject[] {
  return spans.map(({ kind, from, length, url, language }: Span) => ({
    type: types[kind],
    offset: from,
    length,
    ...(url !== undefined && { url }),
    ...(language !== undefined && { language }),
  }));
}

/** A text under these keys, with entities if there are any. */
export function textBody(text: MarkedText, key: "text" | "caption"): JsonObject {
  const entities = entitiesOf(text);
  return {
    [key]: text.text,
    ...(entities.length > 0 && { [key === "text" ? "entities" : "caption_entities"]: entities }),
  };
}
