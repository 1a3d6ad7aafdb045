import type { ComponentChildren } from "preact";
import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { IconButton } from "../ui/index.ts";
import previewWords from "../words/en/preview.json";
import { useWords } from "../words/index.ts";
import "./stage.css";

export type Kind = "page" | "bubble" | "popup";
export type Size = "phone" | "wide";

/** The widths and heights of the shown screens, in their own pixels. */
const screens = { phone: { width: 390, height: 760 }, wide: { width: 1_120, height: 700 } } as const;

type StageProps = { readonly kind: Kind; readonly size: Size; readonly children: ComponentChildren };

/**
 * Shows a visitor's screen, as large as fits, with the chat as visitors see it: as a whole page or embedded in a
 * website.
 */
export function Stage({ kind, size, children }: StageProps) {
  const words = useWords(previewWords);
  const [isOpen, setOpen] = useState(true);
  const room = useRoom();
  const wanted = screens[size];
  // A phone is never scaled, but shrinks to the available size. A wide screen is scaled down to fit.
  const scale = size === "phone" ? 1 : Math.min(1, room.size.width / wanted.width);
  const width = Math.min(room.size.width / scale, wanted.width);
  const height = Math.min(room.size.height / scale, size === "phone" ? 900 : 2_000);
  const isFitted = room.size.width > 0;
  return (
    <div class="preview-stage" ref={room.element}>
      {isFitted && (
        <div
          class={`preview-screen is-${size} is-${kind}`}
          style={{ width: `${width}px`, height: `${height}px`, transform: scale === 1 ? "none" : `scale(${scale})` }}
        >
          {kind !== "page" && <SomebodysPage />}
          <div class={`preview-chat ${kind === "bubble" && !isOpen ? "is-closed" : ""}`}>{children}</div>
          {kind === "bubble" && (
            <div class="preview-bubble">
              <IconButton
                kind="primary"
                icon={isOpen ? "chevron-down" : "message-circle"}
                label={isOpen ? words.closeChat : words.openChat}
                onPress={() => setOpen(!isOpen)}
              />
            </div>
          )}
        </div>
      )}
    </div>
  );
}

/** A grey sketch of a website. */
function SomebodysPage() {
  return (
    <div class="preview-page" aria-hidden="true">
      <span class="is-head" />
      <span />
      <span />
      <span class="is-short" />
      <span class="is-picture" />
      <span />
      <span class="is-short" />
    </div>
  );
}

/** Returns the size of the element without its padding. */
function useRoom() {
  const element = useRef<HTMLDivElement>(null);
  const [size, setSize] = useState({ width: 0, height: 0 });
  useLayoutEffect(() => {
    if (!element.current) return undefined;
    const observer = new ResizeObserver(([entry]) => {
      if (entry) setSize({ width: entry.contentRect.width, height: entry.contentRect.height });
    });
    observer.observe(element.current);
    return () => observer.disconnect();
  }, []);
  return { element, size };
}
