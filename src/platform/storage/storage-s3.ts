import { tmpdir } from "node:os";
import { join } from "node:path";
import { S3Client } from "bun";
import { AppError } from "../../errors.ts";
import { limits } from "../../limits/index.ts";
import { type Storage, storedName } from "./storage.ts";

export type S3Settings = {
  readonly bucket: string;
  readonly region: string;
  /** Defaults to Amazon's endpoint for the region. */
  readonly endpoint: string | undefined;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
};

type Method = "GET" | "PUT" | "DELETE";
type S3Request = {
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Blob;
  readonly timeoutMs?: number;
};

/**
 * Creates a client for an S3-compatible storage. Bun's client signs the addresses, and plain requests are sent to them.
 * With plain requests, the status and message of a rejection are available, files are streamed from disk to disk, and
 * every call has a timeout.
 */
export function createS3Storage({ endpoint, ...settings }: S3Settings): Storage {
  const client = new S3Client({
    ...settings,
    ...(endpoint !== undefined && { endpoint: endpoint.replace(/\/$/, "") }),
  });

  async function request(
    method: Method,
    id: string,
    { timeoutMs = limits.uploads.storageMs, ...init }: S3Request = {},
  ): Promise<Response> {
    const url = client.presign(storedName(id), { method, expiresIn: Math.ceil(timeoutMs / 1_000) });
    const timeout = new AbortController();
    const timer = setTimeout(() => timeout.abort(), timeoutMs);
    try {
      return await fetch(url, { ...init, method, redirect: "error", signal: timeout.signal });
    } catch (error) {
      throw new AppError("storage.unavailable", { cause: error });
    } finally {
      // The time limit applies only until the response starts. The body is read at the visitor's pace.
      clearTimeout(timer);
    }
  }

  return {
    arrivals: join(tmpdir(), "parley-arriving"),
    async keep(id, { path, type, timeoutMs = limits.uploads.storageMs }) {
      const body = Bun.file(path);
      const response = await request("PUT", id, { body, timeoutMs, headers: { "Content-Type": type } });
      if (!response.ok) throw await refusal(response);
      await response.body?.cancel();
    },
    async read(id, range) {
      const headers = range && { Range: `bytes=${range.first}-${range.last}` };
      const response = await request("GET", id, headers && { headers });
      if (response.status === 404) return missing(response);
      if (response.status !== (range ? 206 : 200) || !response.body) throw await refusal(response);
      return response.body;
    },
    async remove(id) {
      const response = await request("DELETE", id);
      if (response.status === 404) return missing(response);
      if (!response.ok) throw await refusal(response);
      await response.body?.cancel();
    },
  };
}

/**
 * Returns undefined for a missing object, which is a normal result. Throws for a missing bucket, which is a
 * configuration error.
 */
async function missing(response: Response): Promise<undefined> {
  const error = await refusal(response);
  if (String(error.cause).includes("NoSuchBucket")) throw error;
}

/** Returns an error with the storage's message for the operator's log. */
async function refusal(response: Response): Promise<AppError> {
  const text = await response.text().catch(() => "");
  const part = (name: string) => new RegExp(`<${name}>([^<]{1,500})</${name}>`).exec(text)?.[1] ?? "";
  const message = [part("Code"), part("Message")].filter((word) => word !== "").join(": ");
  return new AppError("storage.unavailable", { cause: new Error(`S3 answered ${response.status} ${message}`.trim()) });
}
