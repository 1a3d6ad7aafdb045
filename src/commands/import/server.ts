import { StartError } from "../../config.ts";
import { at, textAt } from "../../web/conversation/read.ts";
import { ProxyError, requireProxy } from "../proxy.ts";
import { readAddress } from "../service.ts";

/** A server with the API of Parley or of the reference product, accessed with the token of one of its users. */
export type Server = ReturnType<typeof openServer>;

/** Thrown when the server rejects a request or returns an unusable response. The request is not retried. */
export class RefusedRequest extends StartError {}

/** Thrown when the server does not have the requested object. */
export class NotFound extends RefusedRequest {}

/**
 * The maximum number of attempts for a request that the server postponed, and for a read or a sent file whose
 * connection failed.
 */
const attempts = 8;
const firstPauseMs = 500;
const longestPauseMs = 120_000;
/**
 * The maximum size of a response. A flow has at most 10 MB. A page of results has 100 results of 1 MB in the worst
 * case.
 */
const maxAnswerBytes = 128 * 1024 * 1024;

type ServerOptions = {
  readonly token: string;
  readonly option: string;
  /** Another address from which the server may serve files. */
  readonly filesFrom?: string | undefined;
};

export function openServer(address: string, { token, option, filesFrom }: ServerOptions) {
  const { origin } = readAddress(address, option);
  const fileOrigins = [origin, ...(filesFrom === undefined ? [] : [readAddress(filesFrom, "--files-from").origin])];
  /**
   * Whether the server has ever responded. Until then, requests are not retried, because the address is probably wrong.
   */
  let hasAnswered = false;
  const call = async (address: string, init: RequestInit, headers: Readonly<Record<string, string>> = {}) => {
    await requireProxy(new URL(address));
    return await fetch(address, {
      ...init,
      // Redirects are not followed, because only the named server is trusted and may get the token.
      redirect: "manual",
      headers: { ...(new URL(address).origin === origin && { authorization: `Bearer ${token}` }), ...headers },
    });
  };
  const send = async (method: string, path: string, { body, key, file }: Written) => {
    const content = file ? { body: Bun.file(file.path) } : body && { body: JSON.stringify(body) };
    const type = file?.type ?? (body && "application/json");
    const response = await call(
      addressOf(origin, path),
      { method, ...content },
      { ...(type !== undefined && { "content-type": type }), ...(key !== undefined && { "idempotency-key": key }) },
    );
    const text = await textOf(response);
    hasAnswered = true;
    if (response.status >= 300 && response.status < 400) throw leadsElsewhere(origin, response.headers.get("location"));
    return { status: response.status, retryAfter: response.headers.get("retry-after"), text };
  };
  const ask = async (method: string, path: string, request: Written = {}) => {
    for (let attempt = 1; ; attempt++) {
      const isLast = attempt === attempts;
      try {
        const { status, retryAfter, text } = await send(method, path, request);
        const mayCome = status === 429 || (status >= 502 && status <= 504);
        if (mayCome && !isLast) {
          await Bun.sleep(pauseMs(attempt, retryAfter));
          continue;
        }
        return { status, answer: parsed(text) };
      } catch (error) {
        if (error instanceof RefusedRequest) throw error;
        // A failed write is not retried, because it may have succeeded; the next run checks this. A file can be sent
        // again.
        if ((method !== "GET" && !request.file) || isLast || !hasAnswered) throw unreachable(origin, error);
        await Bun.sleep(pauseMs(attempt, null));
      }
    }
  };
  const read = (path: string, query: Query) => {
    const search = new URLSearchParams(query).toString();
    return ask("GET", search === "" ? path : `${path}?${search}`);
  };
  return {
    /** The server's scheme, host and port, without a path. Reports and ids of results contain this address. */
    origin,
    /**
     * Returns the content of the response. Throws a RefusedRequest with the server's own message if the request is
     * rejected, and a StartError if the server does not respond.
     */
    async get(path: string, query: Query = {}) {
      const { status, answer } = await read(path, query);
      return accepted(answer, { status, origin });
    },
    /** Returns the content of the response, or undefined if the object does not exist. */
    async find(path: string, query: Query = {}) {
      const { status, answer } = await read(path, query);
      return status === 404 ? undefined : accepted(answer, { status, origin });
    },
    /**
     * Returns whether a file may be downloaded from this address. Any other address could be in this machine's network,
     * which the server itself cannot reach.
     */
    hasFile: (file: string) => fileOrigins.includes(new URL(file, origin).origin),
    /**
     * Downloads a path of the server, or an address that `hasFile` accepts, to a local file. Only the server itself
     * gets the token. Throws a RefusedRequest for any other address.
     */
    async download(path: string, to: string): Promise<void> {
      if (!fileOrigins.includes(new URL(path, origin).origin))
        throw new RefusedRequest(`${origin} refers to a file on another server: ${path}.`);
      for (let attempt = 1; ; attempt++) {
        const isLast = attempt === attempts;
        try {
          const response = await call(addressOf(origin, path), { method: "GET" });
          if (response.status === 200) {
            // `Bun.write` with a response needs 6 MB of memory for a file of 100 MB. Reading its chunks one by one
            // needs 40 MB (Bun 1.4.4).
            await Bun.write(to, response);
            return;
          }
          const mayCome = response.status === 429 || response.status >= 502;
          if (!mayCome || isLast)
            throw new RefusedRequest(`${origin} did not return the file: status ${response.status}.`);
          await Bun.sleep(pauseMs(attempt, response.headers.get("retry-after")));
        } catch (error) {
          if (error instanceof RefusedRequest) throw error;
          if (isLast || !hasAnswered) throw unreachable(origin, error);
          await Bun.sleep(pauseMs(attempt, null));
        }
      }
    },
    /**
     * Sends a write. Repeated requests with the same `key` write only once. The path may be an address that the server
     * returned.
     */
    async write(method: "POST" | "PATCH" | "PUT", path: string, request: Written) {
      if (!/^https?:$/.test(new URL(path, origin).protocol))
        throw new RefusedRequest(`${origin} did not return a valid server address: ${path}.`);
      const { status, answer } = await ask(method, path, request);
      return accepted(answer, { status, origin });
    },
  };
}

type Query = Readonly<Record<string, string>>;
type Written = {
  readonly body?: object;
  readonly key?: string;
  /** A file of this machine that is sent unchanged. */
  readonly file?: { readonly path: string; readonly type: string };
};

/**
 * Reads the text of a response. Throws a RefusedRequest if the response is larger than any response of Parley or the
 * reference product.
 */
async function textOf(response: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of response.body ?? []) {
    bytes += chunk.length;
    if (bytes > maxAnswerBytes)
      throw new RefusedRequest(
        `${new URL(response.url).origin} sent more than ${maxAnswerBytes / 1024 / 1024} MB in one response: this is not a server to import from.`,
      );
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
}

function addressOf(origin: string, path: string): string {
  return path.startsWith("/") ? origin + path : path;
}

function leadsElsewhere(origin: string, location: string | null): RefusedRequest {
  const target = location === null ? undefined : URL.parse(location, origin)?.origin;
  return new RefusedRequest(`${origin} redirects to another server${target ? `: use ${target} instead` : ""}.`);
}

function accepted(answer: unknown, { status, origin }: { status: number; origin: string }): unknown {
  if (status >= 200 && status < 300 && answer !== undefined) return answer;
  const [issue] = [at(answer, "data", "issues")].flat();
  const where =
    textAt(issue, "message") === undefined ? "" : ` (${textAt(issue, "path") ?? "body"} ${textAt(issue, "message")})`;
  const words = textAt(answer, "message") ?? `status ${status}${answer === undefined ? ", and not JSON" : ""}`;
  const problem = `${origin} says: ${words}${where}`;
  throw status === 404 ? new NotFound(problem) : new RefusedRequest(problem);
}

function unreachable(origin: string, cause: unknown): StartError {
  if (cause instanceof ProxyError) return cause;
  return new StartError(`${origin} does not respond: run the same command again to continue.`, { cause });
}

/**
 * Returns the delay that the server requests. Without a requested delay, the delay doubles with each attempt. No delay
 * is longer than `longestPauseMs`.
 */
function pauseMs(attempt: number, retryAfter: string | null): number {
  const askedMs = retryAfter === null ? Number.NaN : Number(retryAfter) * 1_000;
  const pause = Number.isFinite(askedMs) && askedMs >= 0 ? askedMs : firstPauseMs * 2 ** (attempt - 1);
  return Math.min(pause, longestPauseMs);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
