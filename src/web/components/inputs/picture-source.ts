import { safeSource } from "../../conversation/links.ts";

/** Where a picture comes from: an address, or a drawing given as text. Within a picture nothing of it runs. */
export function pictureSource(text: string | undefined): string | undefined {
  const picture = text?.trim() ?? "";
  if (picture.startsWith("<svg")) return `data:image/svg+xml,${encodeURIComponent(picture)}`;
  return safeSource(picture);
}
