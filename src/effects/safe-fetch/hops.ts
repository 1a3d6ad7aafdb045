import { createHash, createHmac, hkdfSync, timingSafeEqual } from "node:crypto";
import { isId } from "../../platform/ids.ts";

/**
 * The position of a call in a chain of chats that call each other, the workspace that makes the call, and the step that
 * started the chain.
 */
export type Hops = {
  /** 0 for a request that no chat has made. */
  readonly count: number;
  /** Null if the workspace is unknown or cannot be verified. */
  readonly workspaceId: string | null;
  /** Identifies the first step of the chain (`rootOf`). Null if the step is unknown or cannot be verified. */
  readonly root: string | null;
  /** For a request made by a chat: a signal that is aborted when the caller has disconnected. */
  readonly caller?: AbortSignal;
};

export const noHops: Hops = { count: 0, workspaceId: null, root: null };

export const hopsHeader = "Parley-Hops";
export const rootHeader = "Parley-Root";

/**
 * Writes and reads the headers that prevent infinite loops of chats calling each other.
 *
 * `Parley-Hops` is the number of the call in its chain, such as `3`. For our own hosts, it also contains the signed
 * workspace: `3 <workspace> <signature>`. No other host receives this signature, so strangers cannot charge their own
 * requests to a workspace.
 *
 * `Parley-Root` is the signed step that started the chain: `<root> <signature>`. It is sent with every call, because a
 * root can only use up the starts of its own chain.
 *
 * If a signature is missing or invalid, only the number is used.
 */
export type HopsCodec = {
  write(hops: Hops, target: URL): Written;
  read(request: Pick<Request, "headers" | "signal">): Hops;
  /**
   * Returns the headers by which a chat of this instance recognises that the instance itself refused the chat's call.
   * Other requests get no such headers.
   */
  mark(request: Pick<Request, "headers" | "signal">, ownAddress: () => string | undefined): Written;
};

type Written = readonly (readonly [name: string, value: string])[];

/**
 * Returns an id for a step as the root of the calls that the step causes. The value does not change after a retry and
 * is not a secret.
 */
export function rootOf({ id, revision }: { readonly id: string; readonly revision: number }): string {
  return createHash("sha256").update(`${id} ${revision}`).digest("hex").slice(0, 32);
}

/**
 * Creates the codec for hop headers. Without an ENCRYPTION_KEY nothing is signed, and headers contain only numbers.
 * Without PUBLIC_URL and CHAT_URL, no workspace is sent.
 */
export function createHopsCodec(settings: {
  readonly ENCRYPTION_KEY?: string;
  readonly PUBLIC_URL?: string;
  readonly CHAT_URL?: string;
}): HopsCodec {
  const { ENCRYPTION_KEY, PUBLIC_URL, CHAT_URL } = settings;
  const ownOrigins = new Set([PUBLIC_URL, CHAT_URL].flatMap((address) => (address ? [new URL(address).origin] : [])));
  const key = ENCRYPTION_KEY === undefined ? undefined : deriveKey(ENCRYPTION_KEY);
  const codec: HopsCodec = {
    write({ count, workspaceId, root }, target) {
      if (!key) return [[hopsHeader, String(count)]];
      const number = `${count} ${workspaceId}`;
      const isOwn = workspaceId !== null && ownOrigins.has(target.origin);
      const hops = isOwn ? `${number} ${signatureOf(key, number)}` : String(count);
      return [
        [hopsHeader, hops],
        ...(root === null ? [] : [[rootHeader, `${root} ${signatureOf(key, root)}`] as const]),
      ];
    },
    read({ headers, signal }) {
      const given = headers.get(hopsHeader);
      if (given === null) return noHops;
      const [, digits, workspaceId = "", signature = ""] = notation.exec(given) ?? [];
      if (digits === undefined) return noHops;
      const count = Number(digits);
      const isSigned = isId(workspaceId) && isSignedBy(key, `${digits} ${workspaceId}`, signature);
      const [, root = "", rootSignature = ""] = rootNotation.exec(headers.get(rootHeader) ?? "") ?? [];
      return {
        count,
        workspaceId: isSigned ? workspaceId : null,
        root: isSignedBy(key, root, rootSignature) ? root : null,
        ...(count > 0 && { caller: signal }),
      };
    },
    mark(request, ownAddress) {
      const { count, root } = codec.read(request);
      const isOwn = count > 0 && (root !== null || ownAddress() !== undefined);
      return isOwn ? [[hopsHeader, String(count)]] : [];
    },
  };
  return codec;
}

const notation = /^(\d{1,9})(?: ([0-9a-z]{1,40}) ([\w-]{43}))?$/;
const rootNotation = /^([0-9a-f]{32}) ([\w-]{43})$/;

function signatureOf(key: Buffer, text: string): string {
  return createHmac("sha256", key).update(text).digest("base64url");
}

function isSignedBy(key: Buffer | undefined, text: string, signature: string): boolean {
  return (
    key !== undefined &&
    signature.length === 43 &&
    timingSafeEqual(Buffer.from(signature), Buffer.from(signatureOf(key, text)))
  );
}

function deriveKey(operatorKey: string): Buffer {
  return Buffer.from(hkdfSync("sha256", operatorKey, "", "parley hops 1", 32));
}
