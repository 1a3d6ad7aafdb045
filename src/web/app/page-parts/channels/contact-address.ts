type Account = { readonly channel: string; readonly display: string | null; readonly settings: object };

/**
 * Where contacts meet an account of a messenger, if it has addresses: to open or to scan. With the public id of a bot,
 * the address names it to connections that let it, so that it starts whatever others stand before it.
 */
export function contactAddress({ channel, display, settings }: Account, publicId?: string | null): string | undefined {
  if (channel !== "telegram" || display === null) return undefined;
  const address = `https://t.me/${display.replace(/^@/, "")}`;
  // Telegram takes no other characters, and no more of them.
  const isNamed = Reflect.get(settings, "deepLinks") === true && publicId != null && /^[\w-]{1,64}$/.test(publicId);
  return isNamed ? `${address}?start=${publicId}` : address;
}
