type Account = { readonly channel: string; readonly display: string | null; readonly settings: object };

/**
 * Returns the URL for contacting a messenger account, to open or to scan, if there is one. With a bot's public id, the
 * URL contains the bot for connections that allow this. The chat then starts with that bot, even if other bots come
 * first.
 */
export function contactAddress({ channel, display, settings }: Account, publicId?: string | null): string | undefined {
  if (channel !== "telegram" || display === null) return undefined;
  const address = `https://t.me/${display.replace(/^@/, "")}`;
  // Telegram accepts only these characters, and at most 64 of them.
  const isNamed = Reflect.get(settings, "deepLinks") === true && publicId != null && /^[\w-]{1,64}$/.test(publicId);
  return isNamed ? `${address}?start=${publicId}` : address;
}
