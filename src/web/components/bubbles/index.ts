import type { ComponentType } from "preact";
import type { Words } from "../../conversation/words.ts";
import { Audio } from "./audio.tsx";
import { CustomEmbed } from "./custom-embed.tsx";
import { Embed } from "./embed.tsx";
import { Image } from "./image.tsx";
import { Text } from "./text.tsx";
import { Video } from "./video.tsx";

export type BubbleProps = {
  readonly id: string;
  readonly content: unknown;
  readonly words: Words;
};

/** Draws one kind of bubble. `isEmpty` tells of contents that nothing is shown for. */
export type BubbleKind = { readonly View: ComponentType<BubbleProps>; isEmpty?(content: unknown): boolean };

/** One bubble kind = one file. Kinds that are not listed are passed over. */
export const bubbleKinds: ReadonlyMap<string, BubbleKind> = new Map([
  ["text", Text],
  ["image", Image],
  ["video", Video],
  ["audio", Audio],
  ["embed", Embed],
  ["custom-embed", CustomEmbed],
]);
