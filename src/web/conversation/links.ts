/**
 * Returns a URL that is safe as a link. Returns undefined for any other URL, for example a `javascript:` URL, which
 * would run code. A URL without a scheme gets `https`.
 */
export function safeLink(address: unknown): string | undefined {
  return safeAddress(address, /^(https?|mailto|tel):$/);
}

/**
 * Returns a URL from which a page may load a picture, sound, video or style sheet. Undefined for any other URL. A URL
 * without a scheme gets `https`.
 */
export function safeSource(address: unknown): string | undefined {
  if (typeof address === "string" && /^data:(image|audio|video)\//i.test(address)) return address;
  return safeAddress(address, /^https?:$/);
}

/**
 * Returns a URL that is safe in a frame: an HTTP or HTTPS URL, or the data URL of a PNG, JPEG or WebP picture. Returns
 * undefined for any other URL. A URL without a scheme gets `https`.
 */
export function safeFrame(address: unknown): string | undefined {
  if (typeof address === "string" && isFramedPicture(address)) return address;
  return safeAddress(address, /^https?:$/);
}

/** Whether a data URL is a picture of a format that cannot contain code. */
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
