import { createHmac, hkdfSync } from "node:crypto";
import { decrypt } from "./secrets.ts";

/** Seals facts into a text for strangers, who can neither read nor change them. Equal facts make equal texts. */
export type SealedFacts = {
  seal(facts: Uint8Array): Promise<string>;
  /**
   * The unsealed facts; undefined for a text that was not sealed with this key for this use, or was changed, cut or
   * extended.
   */
  open(text: string): Promise<Uint8Array | undefined>;
};

export type SealOptions = {
  /**
   * Bubbles may show the text, so it must contain no markdown. For short facts only: it tries until a text has none.
   */
  readonly isShown?: boolean;
};

const nonceBytes = 12;
const keyBytes = 32;
/**
 * Underscores that markdown may read as marks, as in `-_a_-`: a bubble that shows an address with such a text would
 * lose them.
 */
const marks = /(?<![0-9A-Za-z])_|_(?![0-9A-Za-z])/;

/**
 * AES-256-GCM with a key that HKDF-SHA-256 derives from this one for this use. The nonce is an HMAC of the facts, with
 * a second derived key, so two facts never share one. If the text would contain marks, the nonce is the HMAC of that
 * HMAC and a number, which are no facts.
 */
export function createSealedFacts(
  readKey: () => Promise<Uint8Array>,
  use: string,
  { isShown = false }: SealOptions = {},
): SealedFacts {
  let derived: { readonly key: CryptoKey; readonly nonceKey: Uint8Array } | undefined;
  const keys = async () => {
    derived ??= await deriveKeys(await readKey(), use);
    return derived;
  };
  return {
    async seal(facts) {
      const { key, nonceKey } = await keys();
      const hash = (...parts: readonly Uint8Array[]) =>
        createHmac("sha256", nonceKey).update(Buffer.concat(parts)).digest();
      const first = hash(facts);
      for (let number = 0; ; number++) {
        const nonce = number === 0 ? first : hash(first, Buffer.of(number));
        const iv = new Uint8Array(nonce.subarray(0, nonceBytes));
        const content = await crypto.subtle.encrypt({ name: "AES-GCM", iv }, key, new Uint8Array(facts));
        const text = Buffer.concat([iv, Buffer.from(content)]).toString("base64url");
        if (!isShown || !marks.test(text)) return text;
      }
    },
    async open(text) {
      const sealed = Buffer.from(text, "base64url");
      // Other letters at the end, and letters that encode no byte in between, would make the same bytes.
      if (sealed.toString("base64url") !== text) return undefined;
      const iv = new Uint8Array(sealed.subarray(0, nonceBytes));
      const content = new Uint8Array(sealed.subarray(nonceBytes));
      const facts = await decrypt(content, { algorithm: { name: "AES-GCM", iv }, key: (await keys()).key });
      return facts && new Uint8Array(facts);
    },
  };
}

async function deriveKeys(secret: Uint8Array, use: string) {
  const derived = new Uint8Array(hkdfSync("sha256", secret, "", use, 2 * keyBytes));
  const ofContent = derived.slice(0, keyBytes);
  const key = await crypto.subtle.importKey("raw", ofContent, "AES-GCM", false, ["encrypt", "decrypt"]);
  return { key, nonceKey: derived.slice(keyBytes) };
}
