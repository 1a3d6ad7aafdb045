import { Type } from "@sinclair/typebox";
import { defineBlock } from "../../interpreter/block.ts";
import { textOption } from "../options.ts";

const schema = Type.Object({
  content: Type.Optional(
    Type.Object({
      url: textOption("Address of the image."),
      clickLink: Type.Optional(
        Type.Object({
          url: textOption("Where a click on the image leads."),
          alt: textOption("What the image shows, in words.", "Bubble image"),
        }),
      ),
    }),
  ),
});

/** An image bubble. */
export const image = defineBlock({
  type: "image",
  family: "bubble",
  summary: "Shows an image, which may be a link.",
  schema,
  run({ id, type, content }, view) {
    if (!content) return { kind: "next" };
    return { kind: "next", messages: [{ id, type, content: view.deep(content) }] };
  },
  examples: [
    {
      title: "The address may hold variables.",
      block: {
        content: {
          url: "https://example.com/{{File}}.png",
          clickLink: { url: "https://example.com", alt: "{{File}}" },
        },
      },
      variables: { File: "cat" },
      expect: {
        messages: [
          {
            type: "image",
            content: { url: "https://example.com/cat.png", clickLink: { url: "https://example.com", alt: "cat" } },
          },
        ],
      },
    },
  ],
});
