/** @jsxImportSource preact */
import { useEffect } from "preact/hooks";
import { isPaletteOpen } from "../../palette/offers.tsx";
import { me } from "../../session/session.ts";
import { laterWithField } from "../../ui/later.tsx";

const Palette = laterWithField<{ readonly onClose: () => void }>(async () => (await import("./palette.tsx")).Palette);

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
  return isOpen ? (
    <Palette
      onClose={() => {
        isPaletteOpen.value = false;
      }}
    />
  ) : null;
}
