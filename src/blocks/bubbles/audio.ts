import { Type } from "@sinclair/typebox";
import { defineBlock } from "../../interpreter/block.ts";
import { flagOption, textOption } from "../options.ts";

const schema = Type.Object({
  content: Type.Optional(
    Type.Object({
      url: textOption("Address of the sound."),
      isAutoplayEnabled: flagOption("Whether it plays at once.", true),
    }),
  ),
});

/** An audio bubble. */
export const audio = defineBlock({
  type: "audio",
  family: "bubble",
  summary: "Plays a sound.",
  schema,
  run({ id, type, content }, view) {
    if (!content) return { kind: "next" };
    return { kind: "next", messages: [{ id, type, content: view.deep(content) }] };
  },
  examples: [
    {
      title: "The address may hold variables.",
      block: { content: { url: "https://example.com/{{File}}.mp3", isAutoplayEnabled: false } },
      variables: { File: "hello" },
      expect: {
        messages: [{ type: "audio", content: { url: "https://example.com/hello.mp3", isAutoplayEnabled: false } }],
      },
    },
  ],
});
