import type { Acts } from "./acts.ts";

/** Copies the selection to the clipboard. If the browser refuses access, the copy stays available in this tab only. */
export function copyToClipboard(acts: Acts): void {
  const text = acts.copyChosen();
  if (text !== undefined) void navigator.clipboard?.writeText(text).catch(() => {});
}

/**
 * Returns the text of the clipboard. Returns an empty text if the browser refuses access; the caller then uses this
 * tab's own copy.
 */
export async function readClipboard(): Promise<string> {
  return (await navigator.clipboard?.readText().catch(() => "")) ?? "";
}

/**
 * Handles the browser's copy, cut and paste events while the canvas has the focus. While `isBusy` returns true, nothing
 * is cut or pasted. Returns a function that removes the listeners.
 */
export function listenToClipboard(element: HTMLElement, acts: Acts, isBusy: () => boolean): () => void {
  const onCopy = (event: ClipboardEvent): void => {
    if (isField(event.target)) return;
    const text = acts.copyChosen();
    if (text === undefined) return;
    event.clipboardData?.setData("text/plain", text);
    event.preventDefault();
  };
  const onCut = (event: ClipboardEvent): void => {
    if (isField(event.target) || isBusy()) return;
    onCopy(event);
    if (event.defaultPrevented) acts.removeChosen();
  };
  const onPaste = (event: ClipboardEvent): void => {
    if (isField(event.target) || isBusy()) return;
    const picture = [...(event.clipboardData?.files ?? [])].find(({ type }) => type.startsWith("image/"));
    if (picture) acts.pastePicture(picture);
    if (picture || acts.pasteText(event.clipboardData?.getData("text/plain") ?? "")) event.preventDefault();
  };
  const listening = new AbortController();
  const { signal } = listening;
  element.addEventListener("copy", onCopy, { signal });
  element.addEventListener("cut", onCut, { signal });
  element.addEventListener("paste", onPaste, { signal });
  return () => listening.abort();
}

function isField(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && target.matches("input, textarea, [contenteditable]");
}
