import { at } from "../../conversation/read.ts";
import { hasRareNodes } from "../../conversation/rich-text.ts";
import type { Bubble } from "../../conversation/step.ts";
import type { BubbleKind } from "./bubble-kind.ts";
import { Text } from "./text.tsx";

/**
 * Kinds of bubbles that a browser loads on demand. Each kind has its own file. A bubble of an unknown kind is not
 * shown.
 */
const rare: ReadonlyMap<string, () => Promise<BubbleKind>> = new Map([
  ["image", async () => (await import("./image.tsx")).Image],
  ["video", async () => (await import("./video.tsx")).Video],
  ["audio", async () => (await import("./audio.tsx")).Audio],
  ["embed", async () => (await import("./embed.tsx")).Embed],
  ["custom-embed", async () => (await import("./custom-embed.tsx")).CustomEmbed],
  ["rich", async () => (await import("./rich.tsx")).Rich],
  ["notice", async () => (await import("./notice.tsx")).Notice],
  // A text bubble that is being streamed, which exists only in the page.
  ["growing", async () => (await import("./growing.tsx")).Growing],
]);

/** The kinds that are part of the page, and the kinds that have been loaded. */
const loaded = new Map<string, BubbleKind>([["text", Text]]);

/** Loads the kinds of these bubbles, so that `bubbleKind` can return them. */
export async function loadBubbles(bubbles: readonly Named[]): Promise<void> {
  await Promise.all(
    bubbles.map(async (bubble) => {
      const name = kindName(bubble);
      const load = rare.get(name);
      if (!load || loaded.has(name)) return;
      const [kind] = await Promise.all([load(), import("../../conversation/rare-words.ts")]);
      loaded.set(name, kind);
    }),
  );
}

/** Returns the kind of a bubble; undefined if the kind is unknown or has not been loaded. */
export function bubbleKind(bubble: Named): BubbleKind | undefined {
  return loaded.get(kindName(bubble));
}

/**
 * Returns the name of a bubble's kind. Messages from the service itself have their own kind, and so do texts with
 * sources or rare elements.
 */
function kindName({ type, notice, content }: Named): string {
  if (notice) return "notice";
  return type === "text" && (at(content, "sources") || hasRareNodes(at(content, "richText"))) ? "rich" : type;
}

type Named = Pick<Bubble, "type" | "notice"> & { readonly content?: unknown };

/** Lists the names of all kinds. */
export function bubbleKindNames(): readonly string[] {
  return [...new Set([...loaded.keys(), ...rare.keys()])];
}
