import { themeDefaults } from "../../core/interpreter/schemas/defaults.ts";
import type { Theme } from "../../core/interpreter/schemas/theme.ts";

/** The avatars to show: an address, SVG text, an emoji, or "" for our own; undefined for none. */
export function avatarsOf({ chat = {} }: Theme) {
  const { hostAvatar = {}, guestAvatar = {} } = chat;
  return {
    host: (hostAvatar.isEnabled ?? themeDefaults.isHostAvatarShown) ? (hostAvatar.url ?? "") : undefined,
    guest: (guestAvatar.isEnabled ?? themeDefaults.isGuestAvatarShown) ? (guestAvatar.url ?? "") : undefined,
  };
}
