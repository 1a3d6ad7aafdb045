import { safeSource } from "../../../conversation/links.ts";

/** The source of an `img`: an address, or SVG given as text, whose scripts do not run in this element. */
export function pictureSource(text: string | undefined): string | undefined {
  const picture = text?.trim() ?? "";
  if (picture.startsWith("<svg")) return `data:image/svg+xml,${encodeURIComponent(picture)}`;
  return safeSource(picture);
}
