import { toast } from "../ui/index.ts";

/**
 * Saves a file through the browser. The object URL stays valid for a minute, so that the person can confirm the
 * download.
 */
export function saveFile(content: Blob, name: string): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(content);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}

/** Copies a text to the clipboard and shows a confirmation. */
export async function copyText(text: string, confirmation: string): Promise<void> {
  await navigator.clipboard.writeText(text);
  toast(confirmation);
}
