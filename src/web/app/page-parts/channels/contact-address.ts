type Account = { readonly channel: string; readonly display: string | null; readonly settings: object };

/**
 * Returns the URL that opens a chat with a messenger account, for a link or a QR code. Undefined if there is none. If
 * the connection supports it, the URL contains the bot's public id. The chat then starts with that bot, even if other
 * bots come first.
 */
export function contactAddress({ channel, display, settings }: Account, publicId?: string | null): string | undefined {
  if (channel !== "telegram" || display === null) return undefined;
  const address = `https://t.me/${display.replace(/^@/, "")}`;
  // Telegram accepts only these characters, and at most 64 of them.
  const isNamed = Reflect.get(settings, "deepLinks") === true && publicId != null && /^[\w-]{1,64}$/.test(publicId);
  return isNamed ? `${address}?start=${publicId}` : address;
}
