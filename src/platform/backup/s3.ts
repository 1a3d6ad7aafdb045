import { type Config, StartError } from "../../config.ts";

/** Parses an address such as `s3://bucket/name`, and returns undefined for any other address. The name may be empty. */
export function readS3Address(text: string): { readonly bucket: string; readonly name: string } | undefined {
  const [, bucket, name = ""] = /^s3:\/\/([^/]+)(?:\/(.*))?$/.exec(text) ?? [];
  return bucket === undefined ? undefined : { bucket, name };
}

/** Opens a bucket of the configured storage. Throws a StartError if no storage is configured. */
export function openBucket(bucket: string, config: Config): Bun.S3Client {
  const {
    S3_ACCESS_KEY_ID: accessKeyId,
    S3_SECRET_ACCESS_KEY: secretAccessKey,
    S3_REGION: region,
    S3_ENDPOINT: endpoint,
  } = config;
  if (accessKeyId === undefined || secretAccessKey === undefined) {
    throw new StartError(
      "An address s3://… requires S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY (and S3_ENDPOINT, if the storage is not Amazon's).",
    );
  }
  return new Bun.S3Client({ accessKeyId, secretAccessKey, region, bucket, ...(endpoint && { endpoint }) });
}

/** Returns the names and sizes of all objects whose names begin with `prefix`, sorted by name. */
export async function listObjects(
  bucket: Bun.S3Client,
  prefix: string,
): Promise<{ readonly name: string; readonly bytes: number }[]> {
  const objects: { name: string; bytes: number }[] = [];
  for (;;) {
    const startAfter = objects.at(-1)?.name;
    const { contents = [], isTruncated } = await bucket.list({ prefix, ...(startAfter && { startAfter }) });
    objects.push(...contents.map(({ key, size = 0 }) => ({ name: key, bytes: size })));
    if (!isTruncated || contents.length === 0) return objects;
  }
}
