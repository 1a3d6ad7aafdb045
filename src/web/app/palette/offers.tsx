import { signal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { keysOf } from "../keys/keymap.ts";
import { IconButton } from "../ui/index.ts";
import paletteButtonWords from "../words/en/palette-button.json";
import { useWords } from "../words/index.ts";
import type { PaletteEntry } from "./entries.ts";

/**
 * The entries that a part of the page adds to the palette, read when the palette opens. Their data may be loaded then.
 */
type Source = () => readonly PaletteEntry[] | Promise<readonly PaletteEntry[]>;

const sources = new Set<Source>();

/** Whether the palette is open. */
export const isPaletteOpen = signal(false);

function openPalette(): void {
  isPaletteOpen.value = true;
}

/** Adds entries to the palette while the component is mounted: commands that can run now, and places to go to. */
export function usePalette(source: Source): void {
  const now = useRef(source);
  now.current = source;
  useEffect(() => {
    const read: Source = () => now.current();
    sources.add(read);
    return () => {
      sources.delete(read);
    };
  }, []);
}

/** The entries of all parts of the page, as soon as each part has loaded. */
export function paletteEntries(): readonly ReturnType<Source>[] {
  return [...sources].map((source) => source());
}

/** The button for people without a keyboard. */
export function PaletteButton() {
  const words = useWords(paletteButtonWords);
  return <IconButton icon="command" label={words.open} keys={keysOf("palette")} onPress={openPalette} />;
}
