/** An address that a link may lead to, or undefined: nothing that runs when it is followed. */
export function safeLink(address: unknown): string | undefined {
  return safeAddress(address, /^(https?|mailto|tel):$/);
}

/** An address that a picture, a sound or a frame may come from. Addresses without a scheme are https ones. */
export function safeSource(address: unknown): string | undefined {
  if (typeof address === "string" && /^data:(image|audio|video)\//i.test(address)) return address;
  return safeAddress(address, /^https?:$/);
}

function safeAddress(address: unknown, protocols: RegExp): string | undefined {
  if (typeof address !== "string") return undefined;
  const text = address.trim();
  if (text === "") return undefined;
  const whole = /^[a-z][a-z\d+.-]*:/i.test(text) ? text : `https://${text.replace(/^\/+/, "")}`;
  const url = URL.parse(whole);
  return url && protocols.test(url.protocol) ? whole : undefined;
}
