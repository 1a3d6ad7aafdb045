import type { Config } from "../../config.ts";
import type { Storage } from "./storage.ts";
import { createFolderStorage } from "./storage-folder.ts";
import { createS3Storage } from "./storage-s3.ts";

/** Opens the configured S3-compatible storage, or a folder in DATA_DIR if none is configured. */
export function openStorage(config: Config): Storage {
  const { S3_BUCKET: bucket, S3_ACCESS_KEY_ID: accessKeyId, S3_SECRET_ACCESS_KEY: secretAccessKey } = config;
  if (bucket === undefined || accessKeyId === undefined || secretAccessKey === undefined) {
    return createFolderStorage(config.DATA_DIR);
  }
  return createS3Storage({
    bucket,
    accessKeyId,
    secretAccessKey,
    region: config.S3_REGION,
    endpoint: config.S3_ENDPOINT,
  });
}
