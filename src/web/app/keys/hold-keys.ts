/** After this time, keys are no longer held for a part that has not loaded. */
const mostMs = 5_000;

/**
 * Holds keys for a field that is still being loaded. Until then they do not reach the focused element, where a letter
 * may add something and Delete may remove something. Keys that lead elsewhere, such as arrows, Tab and Escape, act as
 * usual; with the focus elsewhere all keys do.
 */
export function holdKeys(): HeldKeys {
  const before = document.activeElement;
  let typed = "";
  const onKeyDown = (event: KeyboardEvent): void => {
    const { key } = event;
    if (event.ctrlKey || event.metaKey || event.altKey || document.activeElement !== before) return;
    if (key.length === 1) typed += key;
    else if (key === "Backspace") typed = typed.slice(0, -1);
    else if (key !== "Delete" && key !== "Enter") return;
    event.preventDefault();
    event.stopImmediatePropagation();
  };
  const release = (): void => {
    clearTimeout(timer);
    removeEventListener("keydown", onKeyDown, { capture: true });
  };
  const timer = setTimeout(release, mostMs);
  addEventListener("keydown", onKeyDown, { capture: true });
  return {
    release,
    give() {
      release();
      // Inserts the keys as if they were typed: fields and editors get the event and can undo it.
      if (typed !== "") document.execCommand("insertText", false, typed);
    },
  };
}

export type HeldKeys = {
  /** Keys act at the focus again; held ones are dropped. */
  readonly release: () => void;
  /** Also stops holding, after the field got the focus: inserts the held text into it. */
  readonly give: () => void;
};
