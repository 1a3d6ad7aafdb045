/** @jsxImportSource preact */
import type { ComponentChildren } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";
import { adoptStyle } from "../adopt-style.ts";
import css from "../media.css" with { type: "text" };
import { BubbleGround } from "../rich/BubbleGround.tsx";

type Props = { readonly class: string; readonly children: ComponentChildren };

/** A bubble that its picture, media file or frame fills completely. */
export function MediaBubble({ class: name, children }: Props) {
  const bubble = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => adoptStyle(bubble.current, css), []);
  return (
    <div ref={bubble} class={`typebot-host-bubble media-bubble ${name}`}>
      <BubbleGround />
      {children}
    </div>
  );
}
