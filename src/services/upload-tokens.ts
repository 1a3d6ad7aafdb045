import { createHmac, timingSafeEqual } from "node:crypto";
import { AppError } from "../errors.ts";
import { isId } from "../ids.ts";
import type { Sql } from "../store/database/sql.ts";
import { findInstanceKey, insertInstanceKey } from "../store/instance.ts";

/** Signs the addresses of uploads. */
export type UploadTokens = {
  /** The token with which a file's content may be uploaded: only this service can have made it. */
  tokenFor(fileId: string): Promise<string>;
  /** The file that a token is for. Throws `upload.address_invalid` when it is none of ours. */
  fileOf(token: string): Promise<string>;
};

const keyName = "upload-addresses";

export function createUploadTokens(sql: Sql): UploadTokens {
  let key: Promise<Uint8Array> | undefined;

  // The key never changes once it is made, so it is cached; a failed read is not.
  const cachedKey = (): Promise<Uint8Array> => {
    key ??= sharedKey(sql).catch((error) => {
      key = undefined;
      throw error;
    });
    return key;
  };
  const sign = async (fileId: string): Promise<string> =>
    createHmac("sha256", await cachedKey())
      .update(fileId)
      .digest("base64url");

  return {
    tokenFor: async (fileId) => `${fileId}.${await sign(fileId)}`,
    async fileOf(token) {
      const [fileId = "", signature = ""] = token.split(".");
      if (!isId(fileId)) throw new AppError("upload.address_invalid");
      const expected = Buffer.from(await sign(fileId));
      const given = Buffer.from(signature);
      const isOurs =
        token === `${fileId}.${signature}` && given.length === expected.length && timingSafeEqual(given, expected);
      if (!isOurs) throw new AppError("upload.address_invalid");
      return fileId;
    },
  };
}

/** The same key on all nodes: the first one to start an upload makes it. */
async function sharedKey(sql: Sql): Promise<Uint8Array> {
  await insertInstanceKey(sql, { name: keyName, candidate: crypto.getRandomValues(new Uint8Array(32)) });
  const key = await findInstanceKey(sql, keyName);
  if (!key) throw new Error("The key of upload addresses is gone");
  return key;
}
