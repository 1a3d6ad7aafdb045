import type { RefObject } from "preact";
import { useLayoutEffect, useState } from "preact/hooks";

/** The visible part of a list. Positions are rounded to eight rows, so that scrolling by a few rows renders nothing. */
export type View = { readonly top: number; readonly height: number; readonly rowHeight: number };

const narrow = "(max-width: 760px), (pointer: coarse) and (max-width: 900px)";

export function useScroll(element: RefObject<HTMLElement | null>): View {
  const [view, setView] = useState<View>({ top: 0, height: 800, rowHeight: 36 });
  useLayoutEffect(() => {
    const holder = element.current;
    if (!holder) return;
    const media = matchMedia(narrow);
    const read = () => {
      const rowHeight = media.matches ? 58 : 36;
      const step = rowHeight * 8;
      const next = { top: Math.floor(holder.scrollTop / step) * step, height: holder.clientHeight + step, rowHeight };
      setView((now) =>
        now.top === next.top && now.height === next.height && now.rowHeight === next.rowHeight ? now : next,
      );
    };
    read();
    const observer = new ResizeObserver(read);
    observer.observe(holder);
    holder.addEventListener("scroll", read, { passive: true });
    media.addEventListener("change", read);
    return () => {
      observer.disconnect();
      holder.removeEventListener("scroll", read);
      media.removeEventListener("change", read);
    };
  }, []);
  return view;
}
