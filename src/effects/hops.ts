import { createHmac, hkdfSync, timingSafeEqual } from "node:crypto";
import { isId } from "../ids.ts";

/** Which call in a row of chats that call each other this is, and the workspace that makes it. */
export type Hops = {
  /** 0 for a request that no chat has made. */
  readonly count: number;
  /** Null where it is not known for sure. */
  readonly workspaceId: string | null;
};

/** A request that no chat has made. */
export const noHops: Hops = { count: 0, workspaceId: null };

export const hopsHeader = "Parley-Hops";

/**
 * The header that ends chats which call each other for ever. Every call says its number in the row: `3`. To our own hosts it also names
 * its workspace, signed: `3 <workspace> <signature>`. The signature goes nowhere else, so nobody can make a workspace pay for requests
 * that are not its own; of what anybody else writes only the number counts.
 */
export type HopsCodec = {
  write(hops: Hops, target: URL): string;
  read(headers: Headers): Hops;
};

/** Without an ENCRYPTION_KEY, or without PUBLIC_URL and CHAT_URL, only numbers are written. */
export function createHopsCodec(settings: {
  readonly ENCRYPTION_KEY?: string;
  readonly PUBLIC_URL?: string;
  readonly CHAT_URL?: string;
}): HopsCodec {
  const { ENCRYPTION_KEY, PUBLIC_URL, CHAT_URL } = settings;
  const ownOrigins = new Set([PUBLIC_URL, CHAT_URL].flatMap((address) => (address ? [new URL(address).origin] : [])));
  const key = ENCRYPTION_KEY === undefined ? undefined : deriveKey(ENCRYPTION_KEY);
  return {
    write({ count, workspaceId }, target) {
      if (!key || workspaceId === null || !ownOrigins.has(target.origin)) return String(count);
      const signed = `${count} ${workspaceId}`;
      return `${signed} ${signatureOf(key, signed).toString("base64url")}`;
    },
    read(headers) {
      const [, digits, workspaceId = "", signature = ""] = notation.exec(headers.get(hopsHeader) ?? "") ?? [];
      if (digits === undefined) return noHops;
      const count = Number(digits);
      const given = Buffer.from(signature, "base64url");
      const isSigned =
        key &&
        isId(workspaceId) &&
        given.length === 32 &&
        timingSafeEqual(given, signatureOf(key, `${digits} ${workspaceId}`));
      return { count, workspaceId: isSigned ? workspaceId : null };
    },
  };
}

const notation = /^(\d{1,9})(?: ([0-9a-z]{1,40}) ([\w-]{43}))?$/;

function signatureOf(key: Buffer, text: string): Buffer {
  return createHmac("sha256", key).update(text).digest();
}

function deriveKey(operatorKey: string): Buffer {
  return Buffer.from(hkdfSync("sha256", operatorKey, "", "parley hops 1", 32));
}
