/** @jsxImportSource preact */
import { useLayoutEffect, useRef } from "preact/hooks";
import { adoptStyle } from "./adopt-style.ts";
import css from "./stop-button.css" with { type: "text" };

/** Ends the answer that is being written: what there is of it is the answer. */
export function StopButton({ label, onClick }: { readonly label: string; onClick(): void }) {
  const button = useRef<HTMLButtonElement>(null);
  useLayoutEffect(() => adoptStyle(button.current, css), []);
  return (
    <button ref={button} type="button" class="stop-button" onClick={onClick}>
      <span class="stop-label">{label}</span>
    </button>
  );
}
