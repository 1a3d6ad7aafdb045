/** A part that is missing by then gets no keys. */
const mostMs = 5_000;

/**
 * Keys for a field that is still being loaded: until it is there, they are kept from what has the focus meanwhile,
 * where a letter may add something and Delete takes something away. Keys that lead elsewhere, such as arrows, Tab and
 * Escape, act as ever, and with the focus elsewhere all do.
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
      // Inserts it as if it were typed: fields and editors get the event and can undo it.
      if (typed !== "") document.execCommand("insertText", false, typed);
    },
  };
}

export type HeldKeys = {
  /** Keys act at the focus again; held ones are dropped. */
  readonly release: () => void;
  /** The same, after the field got the focus: it has the typed text. */
  readonly give: () => void;
};
