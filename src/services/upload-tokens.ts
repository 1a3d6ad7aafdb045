import { createHmac, timingSafeEqual } from "node:crypto";
import { createLimiter } from "../concurrency/limiter.ts";
import { AppError } from "../errors.ts";
import { isId } from "../ids.ts";
import { limits } from "../limits.ts";
import type { Sql } from "../store/database/sql.ts";
import { findInstanceKey, insertInstanceKey } from "../store/instance.ts";

/** What uploads share in this process. */
export type UploadDesk = {
  /** The token with which a file's content may be uploaded: only this service can have made it. */
  tokenFor(fileId: string): Promise<string>;
  /** The file that a token is for. Throws `upload.address_invalid` when it is none of ours. */
  fileOf(token: string): Promise<string>;
  /** Does the work, or throws `server.overloaded` while too many uploads are under way. */
  take<Result>(work: () => Promise<Result>): Promise<Result>;
};

const keyName = "upload-addresses";

export function createUploadDesk(sql: Sql, atOnce: number = limits.uploads.atOnce): UploadDesk {
  let key: Promise<Uint8Array> | undefined;
  const uploads = createLimiter({ width: atOnce, refuse: () => new AppError("server.overloaded") });

  // It never changes once it is made, so it may be kept; a failed look is not.
  const knownKey = (): Promise<Uint8Array> => {
    key ??= sharedKey(sql).catch((error) => {
      key = undefined;
      throw error;
    });
    return key;
  };
  const sign = async (fileId: string): Promise<string> =>
    createHmac("sha256", await knownKey())
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
    take: uploads.run,
  };
}

/** The same on all nodes: whoever comes first makes it. */
async function sharedKey(sql: Sql): Promise<Uint8Array> {
  await insertInstanceKey(sql, { name: keyName, candidate: crypto.getRandomValues(new Uint8Array(32)) });
  const key = await findInstanceKey(sql, keyName);
  if (!key) throw new Error("The key of upload addresses is gone");
  return key;
}
