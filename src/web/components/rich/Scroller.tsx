/** @jsxImportSource preact */
import type { ComponentChildren } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";

type ScrollerProps = { readonly class: string; readonly label: string; readonly children: ComponentChildren };

/** Scrolls content that is wider than the bubble. The content can be reached by keyboard while it can be scrolled. */
export function Scroller({ class: name, label, children }: ScrollerProps) {
  const box = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const element = box.current;
    if (!element) return;
    const check = (): void => {
      const isWide = element.scrollWidth > element.clientWidth + 1;
      if (!isWide) for (const attribute of ["tabindex", "role", "aria-label"]) element.removeAttribute(attribute);
      else if (!element.hasAttribute("tabindex")) {
        element.tabIndex = 0;
        element.setAttribute("role", "region");
        element.setAttribute("aria-label", label);
      }
    };
    check();
    const observer = new ResizeObserver(check);
    observer.observe(element);
    return () => observer.disconnect();
  });
  return (
    <div ref={box} class={`rich-scroller ${name}`}>
      {children}
    </div>
  );
}
