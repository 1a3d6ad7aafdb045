import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { colorOf } from "../editor/person-colors.ts";
import type { Box, PersonInText, SharedText, UnitPlaces } from "./shared-text.ts";
import "./people.css";

export type CaretsProps = { readonly shared: SharedText; readonly face: UnitPlaces };

type Place = { readonly left: number; readonly top: number; readonly height: number };

/** A caret and the rectangles of a selection, in pixels of the layer above the text. */
type Drawn = {
  /** Absent if the caret is scrolled out of view. */
  readonly caret?: Place & { readonly isAtEnd: boolean };
  readonly selected: readonly (Place & { readonly width: number })[];
};

/** The distance in pixels between a caret and the pointer within which the person's name is shown. */
const nearPixels = 10;

/**
 * Shows the carets and selections of other people on a layer above a text. The layer does not affect typing, selecting
 * or composing. It is hidden from screen readers, because the header lists the people.
 */
export function Carets({ shared, face }: CaretsProps) {
  const layer = useRef<HTMLDivElement>(null);
  const [drawn, setDrawn] = useState<ReadonlyMap<string, Drawn>>(new Map());
  const [near, setNear] = useState<string>();
  const people = shared.others(face.text());
  const latest = useRef(people);
  latest.current = people;
  const draw = (): void => {
    const made = layer.current ? drawnIn(layer.current, face, latest.current) : new Map();
    setDrawn((before) => (JSON.stringify([...before]) === JSON.stringify([...made]) ? before : made));
  };
  const again = useRef(draw);
  again.current = draw;
  // The positions of letters may change with each render of the field.
  useLayoutEffect(draw);
  useEffect(() => {
    const box = face.box();
    if (!box) return undefined;
    const onChange = (): void => again.current();
    const sizes = new ResizeObserver(onChange);
    sizes.observe(box);
    box.addEventListener("scroll", onChange, { passive: true });
    const stop = face.watch?.(onChange);
    return () => {
      sizes.disconnect();
      box.removeEventListener("scroll", onChange);
      stop?.();
    };
  }, [face]);
  useEffect(() => {
    const around = layer.current?.parentElement;
    const onMove = ({ clientX, clientY }: PointerEvent): void => {
      const { left, top } = layer.current?.getBoundingClientRect() ?? { left: 0, top: 0 };
      const [x, y] = [clientX - left, clientY - top];
      setNear([...drawn].find(([, { caret }]) => caret && isNear(caret, { x, y }))?.[0]);
    };
    const onLeave = (): void => setNear(undefined);
    around?.addEventListener("pointermove", onMove);
    around?.addEventListener("pointerleave", onLeave);
    return () => {
      around?.removeEventListener("pointermove", onMove);
      around?.removeEventListener("pointerleave", onLeave);
    };
  }, [drawn]);
  return (
    <div ref={layer} class="people-in-text" aria-hidden="true">
      {people.map(({ id, userId, name, said }) => {
        const { caret, selected } = drawn.get(id) ?? {};
        return (
          <span key={id} data-person={colorOf(userId)}>
            {selected?.map((box, index) => (
              <span key={index} class="person-selected" style={pixels(box)} />
            ))}
            {caret && (
              <span
                class={`person-caret ${caret.isAtEnd ? "is-at-end" : ""} ${near === id ? "is-near" : ""}`}
                style={pixels({ left: caret.left, top: caret.top, height: caret.height })}
              >
                {/* The key creates a new element for each reported position, so that the name is shown again. */}
                <span key={said} class="person-flag">
                  {name ?? "?"}
                </span>
              </span>
            )}
          </span>
        );
      })}
    </div>
  );
}

function isNear({ left, top, height }: Place, { x, y }: { readonly x: number; readonly y: number }): boolean {
  return Math.abs(x - left) < nearPixels && y > top - nearPixels && y < top + height;
}

function drawnIn(layer: HTMLElement, face: UnitPlaces, people: readonly PersonInText[]): ReadonlyMap<string, Drawn> {
  const { left, top } = layer.getBoundingClientRect();
  const seen = face.box()?.getBoundingClientRect();
  const drawn = new Map<string, Drawn>();
  if (!seen) return drawn;
  for (const { id, at, to } of people) {
    const caret = face.caretAt(to);
    const selected = at === to ? [] : face.boxesOf(Math.min(at, to), Math.max(at, to));
    const isSeen = caret && caret.top < seen.bottom - 2 && caret.bottom > seen.top + 2 && isWithin(caret.left, seen);
    const boxes = selected.flatMap((box) => {
      const [from, upper] = [Math.max(box.left, seen.left), Math.max(box.top, seen.top)];
      const [width, height] = [Math.min(box.right, seen.right) - from, Math.min(box.bottom, seen.bottom) - upper];
      return width > 0 && height > 0 ? [{ left: from - left, top: upper - top, width, height }] : [];
    });
    const place = isSeen && {
      left: caret.left - left,
      top: caret.top - top,
      height: caret.bottom - caret.top,
      isAtEnd: caret.left > (seen.left + seen.right) / 2,
    };
    drawn.set(id, { selected: boxes, ...(place && { caret: place }) });
  }
  return drawn;
}

function isWithin(x: number, { left, right }: Box): boolean {
  return x >= left - 1 && x <= right + 1;
}

function pixels(places: Readonly<Record<string, number>>): Record<string, string> {
  return Object.fromEntries(Object.entries(places).map(([key, value]) => [key, `${value}px`]));
}
