import type { Placement } from "@floating-ui/dom";
import type { ComponentChildren } from "preact";
import { useEffect, useLayoutEffect, useRef } from "preact/hooks";
import type { Anchor } from "./placing.ts";
import "./floating.css";

export type FloatingProps = {
  readonly anchor: Anchor;
  readonly placement?: Placement | undefined;
  /** `manual` stays open until it is removed; `auto` closes on a press elsewhere and on Escape. */
  readonly mode?: "auto" | "manual" | undefined;
  /** Whether the element is at least as wide as its anchor. */
  readonly isWide?: boolean | undefined;
  readonly onClose?: (() => void) | undefined;
  readonly class?: string | undefined;
  readonly attributes?: Readonly<Record<string, string | number | undefined>> | undefined;
  readonly onKeyDown?: ((event: KeyboardEvent) => void) | undefined;
  /** Called when the element is shown. It may still move to its final position. */
  readonly onOpen?: ((element: HTMLElement) => void) | undefined;
  readonly children: ComponentChildren;
};

/** Shows its content next to its anchor and above everything else, while the component is mounted. */
export function Floating({
  anchor,
  placement = "bottom-start",
  mode = "auto",
  isWide = false,
  onClose,
  onOpen,
  ...rest
}: FloatingProps) {
  const element = useRef<HTMLDivElement>(null);
  const close = useRef(onClose);
  close.current = onClose;
  // A long press opens a menu while the finger is down. The browser would take the release of the finger for a press
  // elsewhere and close the menu, so the release is ignored.
  const isUnderFinger = useRef(fingers.size > 0);

  useLayoutEffect(() => {
    const floating = element.current;
    if (!floating) return;
    floating.showPopover();
    placeBelow(floating, anchor);
    // The first floating element of a page is hidden until the positioning library is loaded.
    floating.style.opacity = "0";
    let stop: (() => void) | undefined;
    let isGone = false;
    const show = () => {
      floating.style.opacity = "";
    };
    import("./placing.ts").then(({ keepPlaced }) => {
      if (!isGone) stop = keepPlaced(floating, anchor, { placement, isWide, onPlaced: show });
    }, show);
    onOpen?.(floating);
    return () => {
      isGone = true;
      stop?.();
    };
  }, [anchor, placement, isWide]);

  useEffect(() => {
    const floating = element.current;
    const note = (event: ToggleEvent) => {
      if (event.newState !== "closed") return;
      if (!isUnderFinger.current || !floating?.isConnected) return close.current?.();
      isUnderFinger.current = false;
      floating.showPopover();
      onOpen?.(floating);
    };
    floating?.addEventListener("toggle", note);
    return () => floating?.removeEventListener("toggle", note);
  }, []);

  return (
    <div
      ref={element}
      popover={mode}
      class={`app-floating ${rest.class ?? ""}`}
      {...{ onKeyDown: rest.onKeyDown, ...rest.attributes }}
    >
      {rest.children}
    </div>
  );
}

/** The ids of the fingers that touch the screen. */
const fingers = new Set<number>();
// There is no window when the list of screens is imported outside a browser.
if (typeof window !== "undefined") {
  const down = ({ pointerType, pointerId }: PointerEvent) => pointerType === "touch" && fingers.add(pointerId);
  window.addEventListener("pointerdown", down, true);
  for (const end of ["pointerup", "pointercancel"] as const)
    window.addEventListener(end, ({ pointerId }) => fingers.delete(pointerId), true);
}

/** Positions the element until the positioning library is loaded, or permanently if it cannot be loaded. */
function placeBelow(floating: HTMLElement, anchor: Anchor): void {
  const { x, y } =
    anchor instanceof Element
      ? { x: anchor.getBoundingClientRect().left, y: anchor.getBoundingClientRect().bottom }
      : anchor;
  floating.style.left = `${x}px`;
  floating.style.top = `${y}px`;
}
