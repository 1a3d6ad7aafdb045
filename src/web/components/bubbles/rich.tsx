/** @jsxImportSource preact */
import { at } from "../../conversation/read.ts";
import { nodesOf } from "../../conversation/rich-text.ts";
import { sourcesOf } from "../../conversation/sources.ts";
import { RichBubble, richCss } from "../rich/parts.tsx";
import type { BubbleKind } from "./bubble-kind.ts";
import { quietBlocks } from "./quiet.ts";
import { Text } from "./text.tsx";

/** A text with sources, tables, code or other rare elements. */
export const Rich: BubbleKind = {
  ...Text,
  css: richCss,
  View: ({ id, content, words }) => (
    <RichBubble
      nodes={nodesOf(at(content, "richText"))}
      words={words}
      sources={sourcesOf(content)}
      isQuiet={quietBlocks.has(id)}
    />
  ),
};
