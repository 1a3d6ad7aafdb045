import { signal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { keysOf } from "../keys/keymap.ts";
import { IconButton } from "../ui/index.ts";
import paletteButtonWords from "../words/en/palette-button.json";
import { useWords } from "../words/index.ts";
import type { PaletteEntry } from "./entries.ts";

/**
 * Returns the palette entries of a part of the page. Called when the palette opens. The entries may be loaded
 * asynchronously.
 */
type Source = () => readonly PaletteEntry[] | Promise<readonly PaletteEntry[]>;

const sources = new Set<Source>();

export const isPaletteOpen = signal(false);

function openPalette(): void {
  isPaletteOpen.value = true;
}

/** Adds entries to the palette while the component is mounted, such as available commands and links. */
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

/** Returns the entries of all parts of the page. The entries of a part may be loaded asynchronously. */
export function paletteEntries(): readonly ReturnType<Source>[] {
  return [...sources].map((source) => source());
}

/** The button that opens the palette, for people without a keyboard. */
export function PaletteButton() {
  const words = useWords(paletteButtonWords);
  return <IconButton icon="command" label={words.open} keys={keysOf("palette")} onPress={openPalette} />;
}
