import { useSignalEffect } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useRef } from "preact/hooks";
import type { Box, View } from "../../canvas/contract.ts";

/** The position of an element over the canvas, in the canvas's pixels. */
export type Spot = { readonly left: number; readonly top: number; readonly width?: number };
export type Room = { readonly width: number; readonly height: number };

/** The distance from the edge of the canvas. */
export const rim = 8;

export type PinnedProps = {
  readonly view: View;
  /** The box that the element follows, in world coordinates. */
  readonly box: Box;
  readonly class: string;
  readonly attributes?: Readonly<Record<string, unknown>>;
  /**
   * Returns the position of the element. `box` is its box on the canvas, and `room` contains the sizes of the canvas
   * and of the element.
   */
  readonly place: (box: Box, room: { readonly canvas: Room; readonly own: Room }) => Spot;
  readonly children: ComponentChildren;
};

/**
 * An element over the canvas that follows a part of the world but keeps its own size. Its text has the same size at any
 * zoom.
 */
export function Pinned({ view, box, place, attributes, children, ...rest }: PinnedProps) {
  const element = useRef<HTMLDivElement>(null);
  const put = (): void => {
    const { x, y, zoom } = view.camera.state.value;
    const canvas = view.camera.size.value;
    const { current } = element;
    if (!current) return;
    const onCanvas = {
      x: (box.x - x) * zoom,
      y: (box.y - y) * zoom,
      width: box.width * zoom,
      height: box.height * zoom,
    };
    const own = { width: current.offsetWidth, height: current.offsetHeight };
    const { left, top, width } = place(onCanvas, { canvas, own });
    if (width !== undefined) current.style.width = `${Math.min(width, canvas.width - 2 * rim)}px`;
    const most = (whole: number, size: number) => Math.max(rim, whole - size - rim);
    current.style.left = `${Math.max(rim, Math.min(left, most(canvas.width, width ?? own.width)))}px`;
    current.style.top = `${Math.max(rim, Math.min(top, most(canvas.height, own.height)))}px`;
  };
  useSignalEffect(put);
  return (
    <div
      {...attributes}
      class={`on-card ${rest.class}`}
      ref={(made) => {
        element.current = made;
        // Positions the element again, because content that was loaded in the meantime may be larger.
        if (made) put();
      }}
    >
      {children}
    </div>
  );
}
