import { Type } from "@sinclair/typebox";
import { textAt } from "../../interpreter/flow.ts";
import { defineBubble } from "../../interpreter/program/block.ts";
import { option, titled } from "../options.ts";
import examples from "./examples.json";

const contentSchema = Type.Object({
  url: titled("Sound", option.media("audio", "URL of the sound.")),
  isAutoplayEnabled: titled("Autoplay", option.flag("Whether playback starts automatically.", true)),
});

export const audio = defineBubble({
  type: "audio",
  summary: "Plays a sound.",
  content: contentSchema,
  show: (content) => (view) => view.deep(content),
  transcript: (shown) => textAt(shown, "url"),
  editor: {
    name: "Audio",
    icon: "audio-lines",
    words: ["sound", "music", "voice", "mp3", "podcast"],
    row: ["{content.url:address}"],
    related: ["video", "image", "embed"],
  },
  examples: examples["audio"],
});
