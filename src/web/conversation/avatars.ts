import { flagAt, textAt } from "./read.ts";

export type Avatars = { readonly host: string | undefined; readonly guest: string | undefined };

/** Which avatars are shown: an address, a picture drawn in SVG, an emoji, or empty for ours; undefined for none. */
export function avatarsOf(theme: unknown): Avatars {
  const avatar = (name: string, isShownByDefault: boolean) =>
    (flagAt(theme, "chat", name, "isEnabled") ?? isShownByDefault)
      ? (textAt(theme, "chat", name, "url") ?? "")
      : undefined;
  return { host: avatar("hostAvatar", true), guest: avatar("guestAvatar", false) };
}
