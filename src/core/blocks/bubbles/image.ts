import { Type } from "@sinclair/typebox";
import { textAt } from "../../interpreter/flow.ts";
import { defineBubble } from "../../interpreter/program/block.ts";
import { cells } from "../../interpreter/schemas/form-layout.ts";
import { marked, option, titled } from "../options.ts";
import examples from "./examples.json";

const contentSchema = Type.Object({
  url: titled("Image", option.media("image", "URL of the image.")),
  alt: marked(
    { title: "Description", help: "For visitors who cannot see the image." },
    option.text("Description of the image for visitors who cannot see it. It is also shown in the enlarged view."),
  ),
  clickLink: titled(
    "Link",
    option.part("A link that the image opens.", {
      url: titled("Link to", option.address("URL that a click on the image opens.")),
      alt: marked(
        { title: "Description of the link", help: "Tells visitors who cannot see the image where the link leads." },
        option.text("Description of the link for visitors who cannot see the image.", "Bubble image"),
      ),
    }),
  ),
});

export const image = defineBubble({
  type: "image",
  summary: "Shows an image, which can be a link.",
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
