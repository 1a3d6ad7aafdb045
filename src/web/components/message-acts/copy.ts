import { textAt } from "../../conversation/read.ts";
import { type Source, sourcesOf } from "../../conversation/sources.ts";

/** Copies an answer as text, and as HTML for programs that show its marks. False where the browser does not let it. */
export async function copyAnswer(content: unknown, near: HTMLElement | null): Promise<boolean> {
  const text = [textAt(content, "plainText") ?? "", ...sourcesOf(content).map(lineOf)].join("\n");
  const html = textAt(content, "html") ?? "";
  try {
    const parts = { "text/plain": text, "text/html": html };
    const blobs = Object.entries(parts).map(([type, part]) => [type, new Blob([part], { type })] as const);
    await navigator.clipboard.write([new ClipboardItem(Object.fromEntries(blobs))]);
    return true;
  } catch {
    return copyBySelection(text, near);
  }
}

function lineOf({ id, title, place, url }: Source): string {
  return [`[${id}] ${title}`, place, url].filter((part) => part !== undefined).join(", ");
}

/** Where a page is not served by HTTPS, or a frame may not use the clipboard. */
function copyBySelection(text: string, near: HTMLElement | null): boolean {
  const field = document.createElement("textarea");
  field.value = text;
  field.className = "visually-hidden";
  const focused = near?.querySelector<HTMLElement>(":focus");
  near?.append(field);
  field.select();
  const isCopied = document.execCommand("copy");
  field.remove();
  focused?.focus({ preventScroll: true });
  return isCopied;
}
