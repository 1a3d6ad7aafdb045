import { Type } from "@sinclair/typebox";
import { textAt } from "../../interpreter/flow.ts";
import { defineBubble } from "../../interpreter/program/block.ts";
import { cells } from "../../interpreter/schemas/form-layout.ts";
import { marked, option, titled } from "../options.ts";
import examples from "./examples.json";

const contentSchema = Type.Object({
  url: titled("Image", option.media("image", "Address of the image.")),
  alt: marked(
    { title: "In words", help: "For visitors who cannot see the image." },
    option.text("Description of the image for visitors who cannot see it, also shown in the enlarged view."),
  ),
  clickLink: titled(
    "Link",
    option.part("Makes the image a link.", {
      url: titled("Link to", option.address("Address that a click on the image opens.")),
      alt: marked(
        { title: "Link in words", help: "Where the link leads, for visitors who cannot see the image." },
        option.text("Description of the link for visitors who cannot see the image.", "Bubble image"),
      ),
    }),
  ),
});

export const image = defineBubble({
  type: "image",
  summary: "Shows an image, which may be a link.",
  content: contentSchema,
  show: (content) => (view) => view.deep(content),
  transcript: (shown) => textAt(shown, "url"),
  editor: {
    name: "Image",
    icon: "image",
    words: ["picture", "photo", "gif", "illustration"],
    row: ["{content.alt}", "{content.url:address}"],
    form: [
      cells("content.url"),
      cells("content.alt"),
      cells(["content.clickLink.url", 3], ["content.clickLink.alt", 2]),
    ],
    related: ["video", "audio", "embed"],
  },
  examples: examples["image"],
});
