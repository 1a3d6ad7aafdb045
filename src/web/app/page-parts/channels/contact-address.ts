type Account = { readonly channel: string; readonly display: string | null; readonly settings: object };

/**
 * The address of a messenger's account for contacts, if it has one: to open or to scan. With the public id of a bot,
 * the address names the bot to connections that allow it, so that this bot starts even if others come before it.
 */
export function contactAddress({ channel, display, settings }: Account, publicId?: string | null): string | undefined {
  if (channel !== "telegram" || display === null) return undefined;
  const address = `https://t.me/${display.replace(/^@/, "")}`;
  // Telegram accepts no other characters, and no greater number.
  const isNamed = Reflect.get(settings, "deepLinks") === true && publicId != null && /^[\w-]{1,64}$/.test(publicId);
  return isNamed ? `${address}?start=${publicId}` : address;
}
