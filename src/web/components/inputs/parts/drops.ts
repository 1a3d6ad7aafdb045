import type { RefObject } from "preact";
import { useEffect, useRef } from "preact/hooks";

/** Takes the files that are dropped on an element or pasted into it; without `onFiles` none are taken. */
export function useDrops(
  element: RefObject<HTMLElement | null>,
  onFiles: ((files: Iterable<File>) => void) | undefined,
): void {
  const take = useRef(onFiles);
  take.current = onFiles;
  useEffect(() => {
    const box = element.current;
    if (!box) return undefined;
    const heard = new AbortController();
    const mark = (isOver: boolean): void => {
      box.classList.toggle("is-over", isOver);
    };
    const over = (event: DragEvent): void => {
      if (!take.current || !event.dataTransfer?.types.includes("Files")) return;
      event.preventDefault();
      mark(true);
    };
    const receive = (event: Event, transfer: DataTransfer | null): void => {
      mark(false);
      if (!take.current || !transfer || transfer.files.length === 0) return;
      event.preventDefault();
      take.current(transfer.files);
    };
    const { signal } = heard;
    box.addEventListener("dragover", over, { signal });
    box.addEventListener("dragleave", () => mark(false), { signal });
    box.addEventListener("drop", (event) => receive(event, event.dataTransfer), { signal });
    box.addEventListener("paste", (event) => receive(event, event.clipboardData), { signal });
    return () => heard.abort();
  }, [element]);
}
