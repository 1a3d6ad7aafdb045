import { areKeysShown, showKeys } from "../../keys/letter-keys.ts";
import { isElsewhere, useCommands } from "../../keys/use-commands.ts";
import { isPaletteOpen } from "../../palette/offers.tsx";
import { me } from "../../session/session.ts";
import { later } from "../../ui/index.ts";

const KeysDialog = later(async () => (await import("./keys-dialog.tsx")).KeysDialog);

/** The shortcuts of every screen, and the list of all above it, which is loaded when it is first opened. */
export function KeysHost() {
  useCommands(
    "page",
    {
      help: (event) => !isElsewhere(event) && showKeys(),
      palette() {
        isPaletteOpen.value = !isPaletteOpen.value;
      },
    },
    // A text editor takes Ctrl K for a link.
    ({ defaultPrevented }) => defaultPrevented || !me.value,
  );
  return areKeysShown.value ? (
    <KeysDialog
      onClose={() => {
        areKeysShown.value = false;
      }}
    />
  ) : null;
}
