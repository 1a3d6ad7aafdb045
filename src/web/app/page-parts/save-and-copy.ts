import { toast } from "../ui/index.ts";

/** Saves a file by the browser; the file's address lives long enough for a person to confirm. */
export function saveFile(content: Blob, name: string): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(content);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}

/** Copies a text, and confirms it. */
export async function copyText(text: string, confirmation: string): Promise<void> {
  await navigator.clipboard.writeText(text);
  toast(confirmation);
}
