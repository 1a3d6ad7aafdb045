import { createHmac, hkdfSync } from "node:crypto";
import { decrypt } from "./secrets.ts";

/** Encrypts and authenticates facts as a text for untrusted clients. Equal facts result in equal texts. */
export type SealedFacts = {
  seal(facts: Uint8Array): Promise<string>;
  /**
   * Returns the decrypted facts. Returns undefined for a text that was modified, or was sealed with another key or for
   * another use.
   */
  open(text: string): Promise<Uint8Array | undefined>;
};

export type SealOptions = {
  /**
   * Whether a bubble may display the text, which must then contain no emphasis marks of markdown. Only for short facts,
   * because the function retries until the text contains none.
   */
  readonly isShown?: boolean;
};

const nonceBytes = 12;
const keyBytes = 32;
/**
 * Underscores that markdown may parse as emphasis, as in `-_a_-`. A bubble that shows an address with such a text would
 * omit them.
 */
const marks = /(?<![0-9A-Za-z])_|_(?![0-9A-Za-z])/;

/**
 * Uses AES-256-GCM with a key that HKDF-SHA-256 derives from the given key for this use. The nonce is an HMAC of the
 * facts with a second derived key, so different facts have different nonces. With `isShown`, if the text would contain
 * emphasis marks, the nonce is the HMAC of the first HMAC and a number. This input never equals actual facts.
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
      // Some other texts decode to the same bytes, because base64url has unused bits at the end and ignores some
      // characters.
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
