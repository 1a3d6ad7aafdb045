import { createHash, createHmac } from "node:crypto";

/** A storage that speaks S3 on the loopback address: it checks every signature as Amazon's would, and keeps objects in memory. */
export type S3Server = {
  readonly endpoint: string;
  readonly bucket: string;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly objects: ReadonlyMap<string, { readonly bytes: Uint8Array; readonly type: string | null }>;
  /** Method and object of every request, in order. */
  readonly requests: readonly string[];
  /** Answers everything with 503 from now on, or no longer. */
  fail(isFailing: boolean): void;
  stop(): Promise<void>;
};

export function startS3(): S3Server {
  const objects = new Map<string, { bytes: Uint8Array; type: string | null }>();
  const requests: string[] = [];
  const keys = { bucket: "parley-files", accessKeyId: "AKIDEXAMPLE", secretAccessKey: "a+secret/of=the test" };
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
      if (isFailing) return refuse(503, "SlowDown", "Please reduce your request rate.");
      if (url.searchParams.get("X-Amz-Signature") !== signatureOf(request, url, keys.secretAccessKey))
        return refuse(403, "SignatureDoesNotMatch", "The request signature we calculated does not match.");
      if (bucket !== keys.bucket) return refuse(404, "NoSuchBucket", "The specified bucket does not exist");
      return answer(objects, { request, name, body });
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
    stop: () => server.stop(true),
  };
}

type Objects = Map<string, { bytes: Uint8Array; type: string | null }>;
type Asked = { readonly request: Request; readonly name: string; readonly body: Uint8Array };

function answer(objects: Objects, { request, name, body }: Asked): Response {
  const object = objects.get(name);
  switch (request.method) {
    case "PUT":
      objects.set(name, { bytes: body, type: request.headers.get("content-type") });
      return new Response(null, { status: 200 });
    case "DELETE":
      objects.delete(name);
      return new Response(null, { status: 204 });
    case "GET": {
      if (!object) return refuse(404, "NoSuchKey", "The specified key does not exist.");
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

function refuse(status: number, code: string, message: string): Response {
  const body = `<?xml version="1.0"?><Error><Code>${code}</Code><Message>${message}</Message></Error>`;
  return new Response(body, { status, headers: { "Content-Type": "application/xml" } });
}

/** The signature of a presigned address, as AWS Signature Version 4 defines it. */
function signatureOf(request: Request, url: URL, secret: string): string {
  const parameters = [...url.searchParams].filter(([name]) => name !== "X-Amz-Signature");
  const query = parameters
    .map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`)
    .toSorted()
    .join("&");
  const canonical = [request.method, url.pathname, query, `host:${url.host}`, "", "host", "UNSIGNED-PAYLOAD"].join(
    "\n",
  );
  const time = url.searchParams.get("X-Amz-Date") ?? "";
  const [, ...scope] = (url.searchParams.get("X-Amz-Credential") ?? "").split("/");
  const hash = createHash("sha256").update(canonical).digest("hex");
  const text = ["AWS4-HMAC-SHA256", time, scope.join("/"), hash].join("\n");
  const sign = (key: string | Uint8Array, part: string) => createHmac("sha256", key).update(part).digest();
  const key = scope.reduce<string | Uint8Array>((made, part) => sign(made, part), `AWS4${secret}`);
  return sign(key, text).toString("hex");
}
