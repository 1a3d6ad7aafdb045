import { createHmac, timingSafeEqual } from "node:crypto";
import { AppError } from "../../errors.ts";
import type { Sql } from "../../platform/database/sql.ts";
import { isId } from "../../platform/ids.ts";
import { createInstanceKey } from "../access/instance-keys.ts";

/** Signs the addresses of uploads. */
export type UploadTokens = {
  /** Returns the token with which a file's content may be uploaded. Only this service can create it. */
  tokenFor(fileId: string): Promise<string>;
  /** Returns the id of a token's file. Throws `upload.address_invalid` if this service did not create the token. */
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
