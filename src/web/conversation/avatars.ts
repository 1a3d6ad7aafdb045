import { themeDefaults } from "../../flow/schemas/defaults.ts";
import type { Theme } from "../../flow/schemas/theme.ts";

export type Avatars = { readonly host: string | undefined; readonly guest: string | undefined };

/** Which avatars are shown: an address, a picture drawn in SVG, an emoji, or empty for ours; undefined for none. */
export function avatarsOf({ chat = {} }: Theme): Avatars {
  const { hostAvatar = {}, guestAvatar = {} } = chat;
  return {
    host: (hostAvatar.isEnabled ?? themeDefaults.isHostAvatarShown) ? (hostAvatar.url ?? "") : undefined,
    guest: (guestAvatar.isEnabled ?? themeDefaults.isGuestAvatarShown) ? (guestAvatar.url ?? "") : undefined,
  };
}
