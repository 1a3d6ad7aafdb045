import { Audio } from "./audio.tsx";
import type { BubbleKind } from "./bubble-kind.ts";
import { CustomEmbed } from "./custom-embed.tsx";
import { Embed } from "./embed.tsx";
import { Image } from "./image.tsx";
import { Text } from "./text.tsx";
import { Video } from "./video.tsx";

/** One bubble kind = one file. Kinds that are not listed are not shown. */
export const bubbleKinds: ReadonlyMap<string, BubbleKind> = new Map([
  ["text", Text],
  ["image", Image],
  ["video", Video],
  ["audio", Audio],
  ["embed", Embed],
  ["custom-embed", CustomEmbed],
]);
