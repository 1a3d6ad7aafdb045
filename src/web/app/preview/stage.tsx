/** @jsxImportSource preact */
import type { ComponentChildren } from "preact";
import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { IconButton } from "../ui/index.ts";
import { useWords } from "../words/index.ts";
import { previewWords } from "../words/preview.ts";
import "./stage.css";

export type Kind = "page" | "bubble" | "popup";
export type Size = "phone" | "wide";

/** Widths and heights of the screens that are shown, in their own pixels. */
const screens = { phone: { width: 390, height: 760 }, wide: { width: 1_120, height: 700 } } as const;

type StageProps = { readonly kind: Kind; readonly size: Size; readonly children: ComponentChildren };

/** A screen of a visitor, as large as there is room, with the chat as they would meet it: as the page, or on somebody's page. */
export function Stage({ kind, size, children }: StageProps) {
  const words = useWords(previewWords);
  const [isOpen, setOpen] = useState(true);
  const room = useRoom();
  const wanted = screens[size];
  // A phone is drawn in its own size where it fits; what is wider is drawn smaller.
  const scale = Math.min(1, room.size.width / wanted.width);
  const width = size === "phone" ? Math.min(room.size.width, wanted.width) : wanted.width;
  const height = Math.min(room.size.height / scale, size === "phone" ? 900 : 2_000);
  const isFitted = room.size.width > 0;
  return (
    <div class="preview-stage" ref={room.element}>
      {isFitted && (
        <div
          class={`preview-screen is-${size} is-${kind}`}
          style={{
            width: `${width}px`,
            height: `${height}px`,
            transform: size === "wide" ? `scale(${scale})` : "none",
          }}
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

/** What a page of somebody's may look like, in grey. */
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

function useRoom() {
  const element = useRef<HTMLDivElement>(null);
  const [size, setSize] = useState({ width: 0, height: 0 });
  useLayoutEffect(() => {
    const measured = element.current;
    if (!measured) return undefined;
    const measure = () => setSize({ width: measured.clientWidth, height: measured.clientHeight });
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(measured);
    return () => observer.disconnect();
  }, []);
  return { element, size };
}
