/** @jsxImportSource preact */
import { useLayoutEffect, useRef } from "preact/hooks";
import { adoptStyle } from "./adopt-style.ts";
import css from "./stop-button.css" with { type: "text" };

type Props = { readonly label: string; onClick(): void; onShown(button: HTMLElement): void };

/** Stops an answer while it is being written. The part that has arrived becomes the answer. */
export function StopButton({ label, onClick, onShown }: Props) {
  const button = useRef<HTMLButtonElement>(null);
  useLayoutEffect(() => {
    adoptStyle(button.current, css);
    if (button.current) onShown(button.current);
  }, []);
  return (
    <button ref={button} type="button" class="stop-button" onClick={onClick}>
      <span class="stop-label">{label}</span>
    </button>
  );
}
