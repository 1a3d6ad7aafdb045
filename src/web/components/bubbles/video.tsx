/** @jsxImportSource preact */
import { safeSource } from "../../conversation/links.ts";
import { filledTextAt, flagAt, textAt } from "../../conversation/read.ts";
import css from "../media.css" with { type: "text" };
import type { BubbleKind } from "./bubble-kind.ts";
import { MediaBubble } from "./MediaBubble.tsx";

/** A video, which is a file or a frame of a video platform. */
export const Video: BubbleKind = {
  css,
  View({ content, words }) {
    const frame = frameOf(content);
    const shape = textAt(content, "aspectRatio")?.replaceAll(" ", "") === "9/16" ? "is-tall" : "is-wide";
    const isAutoplay = flagAt(content, "isAutoplayEnabled") ?? true;
    return (
      <MediaBubble class={`video-bubble ${shape}`}>
        {frame === undefined ? (
          // Browsers autoplay a video only while it is muted. Authors cannot add captions; the controls offer the
          // captions inside the file.
          <video
            src={safeSource(textAt(content, "url"))}
            controls={flagAt(content, "areControlsDisplayed") ?? true}
            autoplay={isAutoplay}
            muted={isAutoplay}
            playsInline
            preload="metadata"
          >
            <track kind="captions" />
          </video>
        ) : (
          <iframe
            src={frame}
            title={`${words.video}: ${textAt(content, "type") ?? ""}`}
            allow="autoplay; fullscreen; picture-in-picture; encrypted-media"
            allowFullScreen
            loading="lazy"
          />
        )}
      </MediaBubble>
    );
  },
  isEmpty: (content) => frameOf(content) === undefined && safeSource(textAt(content, "url")) === undefined,
};

const platforms = new Map([
  ["youtube", { base: "https://www.youtube.com/embed/", autoplay: "autoplay=1&mute=1" }],
  ["vimeo", { base: "https://player.vimeo.com/video/", autoplay: "autoplay=1&muted=1" }],
  ["tiktok", { base: "https://www.tiktok.com/embed/v2/", autoplay: "" }],
  ["gumlet", { base: "https://play.gumlet.io/embed/", autoplay: "autoplay=true" }],
]);

function frameOf(content: unknown): string | undefined {
  const platform = platforms.get(textAt(content, "type") ?? "");
  const id = filledTextAt(content, "id");
  if (!platform || id === undefined) return undefined;
  const given = textAt(content, "queryParamsStr")?.replace(/^\?/, "") ?? "";
  const isAutoplay = flagAt(content, "isAutoplayEnabled") ?? true;
  const query = [given, isAutoplay ? platform.autoplay : ""].filter((part) => part !== "").join("&");
  return `${platform.base}${encodeURIComponent(id)}${query === "" ? "" : `?${query}`}`;
}
