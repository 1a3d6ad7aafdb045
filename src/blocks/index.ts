import type { BlockDefinition } from "../interpreter/block.ts";
import { audio } from "./audio.ts";
import { emailInput } from "./email-input.ts";
import { embed } from "./embed.ts";
import { image } from "./image.ts";
import { numberInput } from "./number-input.ts";
import { ratingInput } from "./rating-input.ts";
import { text } from "./text.ts";
import { textInput } from "./text-input.ts";
import { video } from "./video.ts";

/** Every block type that is served, by its type. To add one: its file, and a line here. */
export const blocks: ReadonlyMap<string, BlockDefinition> = new Map(
  [text, image, video, embed, audio, textInput, numberInput, emailInput, ratingInput].map((block) => [block.type, block]),
);
