import { safeSource } from "../../../conversation/links.ts";

/**
 * Returns the source of an `img`: a URL, or SVG text as a data URL. Scripts in such an SVG do not run. Undefined for
 * other text.
 */
export function pictureSource(text: string | undefined): string | undefined {
  const picture = text?.trim() ?? "";
  if (picture.startsWith("<svg")) return `data:image/svg+xml,${encodeURIComponent(picture)}`;
  return safeSource(picture);
}
