import { isPaletteOpen } from "../../palette/offers.tsx";
import { laterWithField } from "../../ui/later.tsx";

const Palette = laterWithField<{ readonly onClose: () => void }>(async () => (await import("./palette.tsx")).Palette);

/** The palette above any screen. It is loaded when it is first opened. */
export function PaletteHost() {
  return isPaletteOpen.value ? (
    <Palette
      onClose={() => {
        isPaletteOpen.value = false;
      }}
    />
  ) : null;
}
