import type { OpenView } from "./view.ts";

/** The overlay of a drag: the guides that it aligns to, and the box that selects. */
export function Guides({ view }: { readonly view: OpenView }) {
  const box = view.marquee.value;
  return (
    <>
      {view.lines.value.map(({ axis, at, from, to }) => (
        <div
          key={axis}
          class={`canvas-guide is-${axis}`}
          style={
            axis === "x"
              ? { left: `${at}px`, top: `${from}px`, height: `${to - from}px` }
              : { top: `${at}px`, left: `${from}px`, width: `${to - from}px` }
          }
        />
      ))}
      {box && (
        <div
          class="canvas-marquee"
          style={{ left: `${box.x}px`, top: `${box.y}px`, width: `${box.width}px`, height: `${box.height}px` }}
        />
      )}
    </>
  );
}
