/** @jsxImportSource preact */
import { useEffect } from "preact/hooks";
import { useLoaded, useTypedMeanwhile } from "../ui/use-loaded.ts";
import { isPaletteOpen } from "./palette.tsx";
import { me } from "./session.ts";

const load = async () => (await import("../palette/palette.tsx")).Palette;

/** The palette above any screen: `Ctrl/⌘ K`. It is loaded when it is first opened. */
export function PaletteHost() {
  const isOpen = isPaletteOpen.value;
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent): void => {
      const isMeant = (event.ctrlKey || event.metaKey) && !event.altKey && !event.shiftKey;
      // A text editor takes it for a link.
      if (!isMeant || event.key.toLowerCase() !== "k" || event.defaultPrevented || !me.peek()) return;
      event.preventDefault();
      isPaletteOpen.value = !isPaletteOpen.peek();
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
        isPaletteOpen.value = false;
      }}
    />
  ) : null;
}
