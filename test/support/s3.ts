import { createHash, createHmac } from "node:crypto";

/**
 * An S3 storage on the loopback address. It verifies the signature of every URL or header, as Amazon does, and stores
 * objects in memory. Multipart uploads create an object when they are completed.
 */
export type S3Server = {
  readonly endpoint: string;
  readonly bucket: string;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly objects: ReadonlyMap<string, { readonly bytes: Uint8Array; readonly type: string | null }>;
  /** The method and object of every request, in order. */
  readonly requests: readonly string[];
  /** Enables or disables 503 responses to all requests. */
  fail(isFailing: boolean): void;
  /** Hides an object that is still listed, as if another process had just removed it. */
  hide(name: string): void;
  stop(): Promise<void>;
};

/** Starts the storage. `onRequest` is awaited before a request is answered, with its method and object. */
export function startS3({ onRequest }: { onRequest?(request: string): Promise<void> | undefined } = {}): S3Server {
  const objects: Objects = new Map();
  const parts: Parts = new Map();
  const requests: string[] = [];
  const keys = { bucket: "parley-files", accessKeyId: "AKIDEXAMPLE", secretAccessKey: "a+secret/of=the test" };
  const hidden = new Set<string>();
  let isFailing = false;
  const server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    async fetch(request) {
      const url = new URL(request.url);
      const [bucket, ...rest] = url.pathname.slice(1).split("/");
      const name = rest.join("/");
      requests.push(`${request.method} ${name}`);
      const body = await request.bytes();
      await onRequest?.(`${request.method} ${name}`);
      if (isFailing) return refuse(503, "SlowDown", "Please reduce your request rate.");
      if (!isSigned(request, url, keys.secretAccessKey))
        return refuse(403, "SignatureDoesNotMatch", "The request signature we calculated does not match.");
      if (bucket !== keys.bucket) return refuse(404, "NoSuchBucket", "The specified bucket does not exist");
      if (request.method === "GET" && hidden.has(name)) return noSuchKey();
      return (
        answerInParts(objects, parts, { request, url, name, body }) ?? answer(objects, { request, url, name, body })
      );
    },
  });
  return {
    ...keys,
    endpoint: server.url.origin,
    objects,
    requests,
    fail(failing) {
      isFailing = failing;
    },
    hide: (name) => void hidden.add(name),
    stop: () => server.stop(true),
  };
}

type Objects = Map<string, { bytes: Uint8Array; type: string | null }>;
/** Parts of incomplete uploads, by upload id and part number. */
type Parts = Map<string, Map<number, Uint8Array>>;
type Asked = { readonly request: Request; readonly url: URL; readonly name: string; readonly body: Uint8Array };

/** Handles the requests of multipart uploads. */
function answerInParts(objects: Objects, uploads: Parts, { request, url, name, body }: Asked): Response | undefined {
  if (request.method === "POST" && url.searchParams.has("uploads")) {
    const id = `upload-${crypto.randomUUID()}`;
    uploads.set(id, new Map());
    return xml(`<InitiateMultipartUploadResult><UploadId>${id}</UploadId></InitiateMultipartUploadResult>`);
  }
  const id = url.searchParams.get("uploadId");
  if (id === null) return undefined;
  const parts = uploads.get(id);
  if (!parts) return refuse(404, "NoSuchUpload", "The specified multipart upload does not exist.");
  switch (request.method) {
    case "PUT":
      parts.set(Number(url.searchParams.get("partNumber")), body);
      return new Response(null, { headers: { ETag: `"${createHash("md5").update(body).digest("hex")}"` } });
    case "DELETE":
      uploads.delete(id);
      return new Response(null, { status: 204 });
    default: {
      const ordered = [...parts].toSorted(([one], [other]) => one - other).map(([, bytes]) => bytes);
      objects.set(name, { bytes: Buffer.concat(ordered), type: null });
      uploads.delete(id);
      return xml('<CompleteMultipartUploadResult><ETag>"whole"</ETag></CompleteMultipartUploadResult>');
    }
  }
}

function list(objects: Objects, { searchParams }: URL): Response {
  const prefix = searchParams.get("prefix") ?? "";
  const after = searchParams.get("start-after") ?? "";
  const most = Number(searchParams.get("max-keys") ?? 1_000);
  const names = [...objects.keys()].filter((name) => name.startsWith(prefix) && name > after).toSorted();
  const contents = names.slice(0, most).map((name) => {
    const { bytes = new Uint8Array() } = objects.get(name) ?? {};
    return `<Contents><Key>${name}</Key><Size>${bytes.length}</Size></Contents>`;
  });
  return xml(
    `<ListBucketResult><IsTruncated>${names.length > most}</IsTruncated>${contents.join("")}</ListBucketResult>`,
  );
}

function xml(text: string): Response {
  return new Response(`<?xml version="1.0" encoding="UTF-8"?>${text}`, {
    headers: { "Content-Type": "application/xml" },
  });
}

function answer(objects: Objects, { request, url, name, body }: Asked): Response {
  if (request.method === "GET" && name === "") return list(objects, url);
  const object = objects.get(name);
  switch (request.method) {
    case "PUT":
      objects.set(name, { bytes: body, type: request.headers.get("content-type") });
      return new Response(null, { status: 200 });
    case "DELETE":
      objects.delete(name);
      return new Response(null, { status: 204 });
    case "HEAD":
      return new Response(null, {
        status: object ? 200 : 404,
        headers: { "Content-Length": `${object?.bytes.length}` },
      });
    case "GET": {
      if (!object) return noSuchKey();
      const [, first, last] = /^bytes=(\d+)-(\d+)$/.exec(request.headers.get("range") ?? "") ?? [];
      if (first === undefined) return new Response(new Blob([Buffer.from(object.bytes)]));
      return new Response(new Blob([Buffer.from(object.bytes.slice(Number(first), Number(last) + 1))]), {
        status: 206,
      });
    }
    default:
      return refuse(405, "MethodNotAllowed", "The specified method is not allowed.");
  }
}

function noSuchKey(): Response {
  return refuse(404, "NoSuchKey", "The specified key does not exist.");
}

function refuse(status: number, code: string, message: string): Response {
  const body = `<?xml version="1.0"?><Error><Code>${code}</Code><Message>${message}</Message></Error>`;
  return new Response(body, { status, headers: { "Content-Type": "application/xml" } });
}

/** Whether the URL or the headers have a valid AWS Signature Version 4. */
function isSigned(request: Request, url: URL, secret: string): boolean {
  const header = request.headers.get("authorization");
  if (header === null) {
    const signature = url.searchParams.get("X-Amz-Signature");
    const credential = url.searchParams.get("X-Amz-Credential") ?? "";
    const time = url.searchParams.get("X-Amz-Date") ?? "";
    const signed = { request, url, names: ["host"], credential, time, payload: "UNSIGNED-PAYLOAD" };
    return signature === signatureOf(signed, secret);
  }
  const [, credential = "", names = "", signature] =
    /Credential=([^,]+), *SignedHeaders=([^,]+), *Signature=(\w+)$/.exec(header) ?? [];
  const time = request.headers.get("x-amz-date") ?? "";
  const payload = request.headers.get("x-amz-content-sha256") ?? "";
  return signature === signatureOf({ request, url, names: names.split(";"), credential, time, payload }, secret);
}

type Signed = {
  readonly request: Request;
  readonly url: URL;
  readonly names: readonly string[];
  readonly credential: string;
  readonly time: string;
  readonly payload: string;
};

function signatureOf({ request, url, names, credential, time, payload }: Signed, secret: string): string {
  const parameters = [...url.searchParams].filter(([name]) => name !== "X-Amz-Signature");
  const query = parameters
    .map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`)
    .toSorted()
    .join("&");
  const headers = names.map((name) => `${name}:${name === "host" ? url.host : request.headers.get(name)}`);
  const canonical = [request.method, url.pathname, query, ...headers, "", names.join(";"), payload].join("\n");
  const [, ...scope] = credential.split("/");
  const hash = createHash("sha256").update(canonical).digest("hex");
  const text = ["AWS4-HMAC-SHA256", time, scope.join("/"), hash].join("\n");
  const sign = (key: string | Uint8Array, part: string) => createHmac("sha256", key).update(part).digest();
  const key = scope.reduce<string | Uint8Array>((made, part) => sign(made, part), `AWS4${secret}`);
  return sign(key, text).toString("hex");
}
