import { AppError } from "./errors.ts";

/** Encrypts secrets that the service must be able to read again: the database stores them only encrypted. */
export type Secrets = {
  /**
   * Encrypts a text for one place, such as `event-endpoint:<id>`, and it cannot be decrypted for another. Throws
   * `secret.no_key` when the operator gave no key.
   */
  seal(text: string, place: string): Promise<Uint8Array>;
  /** The text again, or undefined when it was sealed under another key, for another place, or was changed. */
  open(sealed: Uint8Array, place: string): Promise<string | undefined>;
};

const format = 1;
const nonceBytes = 12;

/**
 * Secrets under the operator's key (`ENCRYPTION_KEY`), which may be any text of enough characters: AES-256-GCM with a key that
 * HKDF-SHA-256 makes of it. Sealed: one byte of format, the nonce, the text with its tag.
 */
export function createSecrets(operatorKey: string | undefined): Secrets {
  if (operatorKey === undefined) {
    return {
      seal: () => Promise.reject(new AppError("secret.no_key")),
      open: async () => undefined,
    };
  }
  let derived: Promise<CryptoKey> | undefined;
  const key = (): Promise<CryptoKey> => {
    derived ??= deriveKey(operatorKey);
    return derived;
  };
  return {
    async seal(text, place) {
      const nonce = crypto.getRandomValues(new Uint8Array(nonceBytes));
      const content = await crypto.subtle.encrypt(algorithm(nonce, place), await key(), utf8(text));
      return Buffer.concat([Buffer.of(format), nonce, Buffer.from(content)]);
    },
    async open(sealed, place) {
      if (sealed[0] !== format) return undefined;
      const nonce = new Uint8Array(sealed.subarray(1, 1 + nonceBytes));
      const content = new Uint8Array(sealed.subarray(1 + nonceBytes));
      try {
        return new TextDecoder().decode(await crypto.subtle.decrypt(algorithm(nonce, place), await key(), content));
      } catch (error) {
        // All that WebCrypto says of a wrong key, a wrong place and a changed text.
        if (error instanceof DOMException && error.name === "OperationError") return undefined;
        throw error;
      }
    },
  };
}

async function deriveKey(operatorKey: string): Promise<CryptoKey> {
  const material = await crypto.subtle.importKey("raw", utf8(operatorKey), "HKDF", false, ["deriveKey"]);
  const derivation = { name: "HKDF", hash: "SHA-256", salt: new Uint8Array(0), info: utf8("parley secrets 1") };
  const target = { name: "AES-GCM", length: 256 };
  return crypto.subtle.deriveKey(derivation, material, target, false, ["encrypt", "decrypt"]);
}

function algorithm(nonce: Uint8Array<ArrayBuffer>, place: string) {
  return { name: "AES-GCM", iv: nonce, additionalData: utf8(place) };
}

function utf8(text: string): Uint8Array<ArrayBuffer> {
  return new Uint8Array(Buffer.from(text));
}

/** The place that the secrets of an event endpoint are sealed for. */
export function eventSecretPlace(endpointId: string): string {
  return `event-endpoint:${endpointId}`;
}
