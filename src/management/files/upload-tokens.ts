import { createHmac, timingSafeEqual } from "node:crypto";
import { AppError } from "../../errors.ts";
import type { Sql } from "../../platform/database/sql.ts";
import { isId } from "../../platform/ids.ts";
import { createInstanceKey } from "../access/instance-keys.ts";

/** Signs the addresses of uploads. */
export type UploadTokens = {
  /** The token with which a file's content may be uploaded; only this service can create it. */
  tokenFor(fileId: string): Promise<string>;
  /** The file of a token. Throws `upload.address_invalid` when the token is not ours. */
  fileOf(token: string): Promise<string>;
};

export function createUploadTokens(sql: Sql): UploadTokens {
  const readKey = createInstanceKey(sql, "upload-addresses");
  const sign = async (fileId: string): Promise<string> =>
    createHmac("sha256", await readKey())
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
