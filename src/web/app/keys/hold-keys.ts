/** The maximum time in ms for which keys are buffered while an editor is loading. */
const mostMs = 5_000;

/**
 * Buffers keys for a field that is still loading. Otherwise, they would reach the focused element, where a letter could
 * add something and Delete could remove something. Navigation keys such as arrows, Tab and Escape work as usual. If the
 * focus moves elsewhere, all keys work as usual.
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
      // Inserts the text as if it had been typed, so that fields and editors receive an event and can undo the
      // insertion.
      if (typed !== "") document.execCommand("insertText", false, typed);
    },
  };
}

export type HeldKeys = {
  /** Stops buffering and drops the buffered keys. */
  readonly release: () => void;
  /** Stops buffering and inserts the buffered text into the field. The field must already have the focus. */
  readonly give: () => void;
};
