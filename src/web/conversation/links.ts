/** An address that is safe to link to; undefined for an address that would run code, such as `javascript:`. */
export function safeLink(address: unknown): string | undefined {
  return safeAddress(address, /^(https?|mailto|tel):$/);
}

/** An address that is safe as the source of a picture, a sound or a frame. An address without a scheme gets https. */
export function safeSource(address: unknown): string | undefined {
  if (typeof address === "string" && /^data:(image|audio|video)\//i.test(address)) return address;
  return safeAddress(address, /^https?:$/);
}

/** An address that is safe to frame, or a picture of a page. An address without a scheme gets https. */
export function safeFrame(address: unknown): string | undefined {
  if (typeof address === "string" && isFramedPicture(address)) return address;
  return safeAddress(address, /^https?:$/);
}

/** Kinds of pictures that contain no code. */
export function isFramedPicture(address: string): boolean {
  return /^data:image\/(png|jpeg|webp)[;,]/i.test(address);
}

function safeAddress(address: unknown, protocols: RegExp): string | undefined {
  if (typeof address !== "string") return undefined;
  const text = address.trim();
  if (text === "") return undefined;
  const whole = /^[a-z][a-z\d+.-]*:/i.test(text) ? text : `https://${text.replace(/^\/+/, "")}`;
  const url = URL.parse(whole);
  return url && protocols.test(url.protocol) ? whole : undefined;
}
