/** @jsxImportSource preact */
import { useEffect } from "preact/hooks";
import { isLetterKey, letterKeys } from "../../editor/letter-keys.ts";
import { areKeysShown, showKeys } from "../../frame/keys.ts";
import { me } from "../../session/session.ts";
import { later } from "../../ui/index.ts";

const KeysDialog = later(async () => (await import("./keys-dialog.tsx")).KeysDialog);

/** The list of all keys above any screen: `?`, unless single letters are switched off. It is loaded when it is first opened. */
export function KeysHost() {
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent): void => {
      if (event.key !== "?" || !isLetterKey(event) || event.defaultPrevented || !letterKeys.peek() || !me.peek())
        return;
      // The code editor lives in a shadow root, of which the target shows the host alone.
      const [origin = null] = event.composedPath();
      if (isWritten(origin) || document.querySelector("dialog[open], :popover-open")) return;
      event.preventDefault();
      showKeys();
    };
    addEventListener("keydown", onKeyDown);
    return () => removeEventListener("keydown", onKeyDown);
  }, []);
  return areKeysShown.value ? (
    <KeysDialog
      onClose={() => {
        areKeysShown.value = false;
      }}
    />
  ) : null;
}

function isWritten(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement && (target.isContentEditable || target.closest("input, textarea, select") !== null)
  );
}
