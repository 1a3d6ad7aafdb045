/** @jsxImportSource preact */
import { type ReadonlySignal, signal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import type { PaletteEntry } from "../palette/entries.ts";
import { IconButton } from "../ui/index.ts";
import { useLoaded, useTypedMeanwhile } from "../ui/use-loaded.ts";
import { useWords } from "../words/index.ts";
import { paletteWords } from "../words/palette.ts";
import { me } from "./session.ts";

/** What a part of the page adds to the palette, read when it opens. */
type Source = () => readonly PaletteEntry[];

const open = signal(false);
const sources = new Set<Source>();

/** Whether the palette is open. */
export const isPaletteOpen: ReadonlySignal<boolean> = open;

export function openPalette(): void {
  open.value = true;
}

/** Adds to the palette as long as the component is on the page: commands that may run now, and what it has to go to. */
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

/** Everything that parts of the page have added. */
export function paletteEntries(): readonly PaletteEntry[] {
  return [...sources].flatMap((source) => source());
}

/** The button for who has no keys at hand. */
export function PaletteButton() {
  const words = useWords(paletteWords);
  return <IconButton icon="command" label={words.open} onPress={openPalette} />;
}

const load = async () => (await import("../palette/palette.tsx")).Palette;

/** The palette above any screen: `Ctrl/⌘ K`. It is loaded when it is first opened. */
export function PaletteHost() {
  const isOpen = open.value;
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent): void => {
      const isMeant = (event.ctrlKey || event.metaKey) && !event.altKey && !event.shiftKey;
      // A text editor takes it for a link.
      if (!isMeant || event.key.toLowerCase() !== "k" || event.defaultPrevented || !me.peek()) return;
      event.preventDefault();
      open.value = !open.peek();
    };
    addEventListener("keydown", onKeyDown);
    return () => removeEventListener("keydown", onKeyDown);
  }, []);
  return isOpen ? <Loading /> : null;
}

function Loading() {
  const Palette = useLoaded(load);
  const first = useTypedMeanwhile(Palette === undefined);
  return Palette ? (
    <Palette
      first={first}
      onClose={() => {
        open.value = false;
      }}
    />
  ) : null;
}
