import { AppError } from "../errors.ts";

/** Encrypts secrets that the service must be able to decrypt. The database contains only the encrypted form. */
export type Secrets = {
  /**
   * Encrypts a text for one use, such as `event-endpoint:<id>`. The text cannot be decrypted for another use. Throws
   * `secret.no_key` if the operator has not set a key.
   */
  seal(text: string, place: string): Promise<Uint8Array>;
  /**
   * Returns the decrypted text. Returns undefined if the text was modified, or was encrypted with another key or for
   * another use.
   */
  open(sealed: Uint8Array, place: string): Promise<string | undefined>;
};

const format = 1;
const nonceBytes = 12;

/** The keys of a `Secrets`, usually the operator's keys. Old keys are only used to decrypt. */
export type OperatorKeys = { readonly current: string | undefined; readonly old?: readonly string[] };

/** Returns the keys from the settings. `ENCRYPTION_KEY_OLD` may contain several keys, separated by commas. */
export function operatorKeys(settings: { ENCRYPTION_KEY?: string; ENCRYPTION_KEY_OLD?: string }): OperatorKeys {
  return {
    current: settings.ENCRYPTION_KEY,
    old: settings.ENCRYPTION_KEY_OLD?.split(",").map((key) => key.trim()) ?? [],
  };
}

/**
 * Encrypts secrets with `current`, a text with a minimum length, and decrypts them with any of the keys. Uses
 * AES-256-GCM with a key that HKDF-SHA-256 derives from such a text. The sealed format is one format byte, the nonce,
 * and the encrypted text with its tag.
 */
export function createSecrets({ current: operatorKey, old = [] }: OperatorKeys): Secrets {
  if (operatorKey === undefined) {
    return {
      seal: () => Promise.reject(new AppError("secret.no_key")),
      open: async () => undefined,
    };
  }
  const derived = new Map<string, Promise<CryptoKey>>();
  const keyOf = (text: string): Promise<CryptoKey> => {
    const key = derived.get(text) ?? deriveKey(text);
    derived.set(text, key);
    return key;
  };
  return {
    async seal(text, place) {
      const nonce = crypto.getRandomValues(new Uint8Array(nonceBytes));
      const content = await crypto.subtle.encrypt(algorithm(nonce, place), await keyOf(operatorKey), utf8(text));
      return Buffer.concat([Buffer.of(format), nonce, Buffer.from(content)]);
    },
    async open(sealed, place) {
      if (sealed[0] !== format) return undefined;
      const nonce = new Uint8Array(sealed.subarray(1, 1 + nonceBytes));
      const content = new Uint8Array(sealed.subarray(1 + nonceBytes));
      for (const key of [operatorKey, ...old]) {
        const text = await decrypt(content, { algorithm: algorithm(nonce, place), key: await keyOf(key) });
        if (text) return new TextDecoder().decode(text);
      }
      return undefined;
    },
  };
}

/**
 * Returns the decrypted content. Returns undefined if the content was modified, or if the key, the nonce or the use
 * differs.
 */
export async function decrypt(
  content: Uint8Array<ArrayBuffer>,
  { algorithm, key }: { algorithm: AesGcmParams; key: CryptoKey },
): Promise<ArrayBuffer | undefined> {
  try {
    return await crypto.subtle.decrypt(algorithm, key, content);
  } catch (error) {
    // WebCrypto throws the same error for modified content and for a wrong key, nonce or use.
    if (error instanceof DOMException && error.name === "OperationError") return undefined;
    throw error;
  }
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

/** Returns the use for which the secrets of an event endpoint are encrypted. */
export function eventSecretPlace(endpointId: string): string {
  return `event-endpoint:${endpointId}`;
}

/** Returns the use for which the members of credentials are encrypted. */
export function credentialsPlace(credentialsId: string): string {
  return `credentials:${credentialsId}`;
}

/** Returns the use for which the value of a workspace's secret is encrypted. */
export function secretPlace(secretId: string): string {
  return `secret:${secretId}`;
}

/** Returns the use for which the secrets of a messenger's connection are encrypted. */
export function channelConnectionPlace(connectionId: string): string {
  return `channel-connection:${connectionId}`;
}

/** Returns the use for which a pending OAuth account is encrypted. `hash` is the hash of the OAuth state. */
export function oauthPlace(hash: Uint8Array): string {
  return `oauth:${Buffer.from(hash).toString("hex")}`;
}
