import { type Static, Type } from "@sinclair/typebox";
import { textAt } from "../../interpreter/flow.ts";
import { defineBubble } from "../../interpreter/program/block.ts";
import type { View } from "../../interpreter/program/view.ts";
import { cells } from "../../interpreter/schemas/form-layout.ts";
import { readNumberOrVariable } from "../../interpreter/schemas/schema.ts";
import { advanced, helped, marked, option, titled } from "../options.ts";
import examples from "./examples.json";

const contentSchema = Type.Object({
  url: marked(
    { title: "Video", help: "A file, or a page on YouTube, Vimeo, TikTok or Gumlet." },
    option.media("video", "URL of the video, which determines the player."),
  ),
  id: option.kept("Id of the video in its player, derived from the URL."),
  type: marked(
    { title: "Player", widget: "kept", isAdvanced: true },
    option.word(["url", "youtube", "vimeo", "tiktok", "gumlet"], "The player, derived from the URL."),
  ),
  height: helped("In pixels.", option.numberOrVariable("Height in pixels.", 400)),
  aspectRatio: advanced(option.text("Ratio of width to height, as in CSS.", "16/9")),
  maxWidth: advanced(helped("Such as `400px` or `80%`.", option.text("Maximum width, as in CSS.", "100%"))),
  queryParamsStr: titled("Query", option.kept("Query parameters for the player, derived from the URL.")),
  areControlsDisplayed: titled("Show controls", option.flag("Whether the player shows its controls.", true)),
  isAutoplayEnabled: titled("Autoplay", option.flag("Whether playback starts automatically.", true)),
});

export const video = defineBubble({
  type: "video",
  summary: "Shows a video file, or a video from YouTube, Vimeo, TikTok or Gumlet.",
  content: contentSchema,
  shown: Type.Object({
    ...contentSchema.properties,
    height: option.number("Height in pixels.", 400),
  }),
  show: (content) => (view) => shownVideo(content, view),
  transcript: (shown) => textAt(shown, "url"),
  editor: {
    name: "Video",
    icon: "video",
    words: ["film", "youtube", "vimeo", "tiktok", "mp4"],
    row: ["{content.url:address}"],
    form: [
      cells("content.url"),
      cells("content.areControlsDisplayed", "content.isAutoplayEnabled"),
      cells("content.height"),
    ],
    related: ["image", "audio", "embed"],
  },
  examples: examples["video"],
});

type Content = Static<typeof contentSchema>;
type Analysed = { readonly type: string; readonly url: string; readonly id?: string; readonly queryParamsStr?: string };

/**
 * Returns the content for the client. The player, id and query are derived from the URL. Their stored values are used
 * only if there is no URL.
 */
function shownVideo(content: Content, view: View): Record<string, unknown> {
  const { height, url, ...rest } = content;
  const { type: _, id: __, queryParamsStr: ___, ...own } = rest;
  const shownHeight = readNumberOrVariable(typeof height === "string" ? view.text(height) : height);
  return {
    ...texts(url === undefined ? rest : own, view),
    ...(shownHeight !== undefined && { height: shownHeight }),
    ...(url !== undefined && analyseVideoUrl(view.text(url))),
  };
}

function texts(content: Omit<Content, "url" | "height">, view: View): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(content).map(([key, value]) => [key, typeof value === "string" ? view.text(value) : value]),
  );
}

const patterns: readonly { readonly type: string; readonly pattern: RegExp }[] = [
  { type: "youtube", pattern: /youtube\.com\/(?:watch\?v=|shorts\/)([\w-]+)/ },
  { type: "youtube", pattern: /youtu\.be\/([\w-]+)(\?.+)?/ },
  { type: "vimeo", pattern: /vimeo\.com\/(\d+)/ },
  { type: "tiktok", pattern: /tiktok\.com\/@[^/]+\/video\/(\d+)/ },
  { type: "gumlet", pattern: /gumlet\.(?:com|tv)\/watch\/([\w-]+)/ },
];

/**
 * Returns the player and the parts of the URL for the first pattern that matches. For any other URL, the player is
 * `url`.
 */
function analyseVideoUrl(url: string): Analysed {
  for (const { type, pattern } of patterns) {
    const match = pattern.exec(url);
    if (!match) continue;
    const [fragment, id = "", query] = match;
    return {
      type,
      url: fragment,
      id,
      ...(query !== undefined && { queryParamsStr: query.replace(/([?&])t=/, "$1start=") }),
    };
  }
  const oneDrive = /https:\/\/onedrive\.live\.com\/embed\?.+/.exec(url);
  return { type: "url", url: oneDrive ? oneDrive[0].replace("/embed", "/download") : url };
}
