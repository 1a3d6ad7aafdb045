/** A request of a page to another origin. */
export type CrossRequest = {
  readonly url: string;
  readonly origin: string;
  readonly method: string;
  /** The names of the headers that require a preflight, in lower case. */
  readonly headers: readonly string[];
};

/** An error that the browser would show as a network error. */
export class NetworkError extends Error {
  override readonly name = "NetworkError";
}

/**
 * Sends the preflight request, as browsers do. Throws if the response does not permit the request, or cannot be cached.
 */
export async function checkPreflight(
  handle: (request: Request) => Promise<Response>,
  { url, origin, method, headers }: CrossRequest,
): Promise<void> {
  const preflight = await handle(
    new Request(url, {
      method: "OPTIONS",
      headers: {
        Origin: origin,
        "Access-Control-Request-Method": method,
        "Access-Control-Request-Headers": [...headers].sort().join(","),
      },
    }),
  );
  const place = `The preflight of ${method} ${new URL(url).pathname}`;
  if (!preflight.ok) throw new NetworkError(`${place} answered ${preflight.status}`);
  requireOrigin(preflight.headers, origin, place);
  const methods = listed(preflight.headers, "access-control-allow-methods");
  if (!methods.includes(method.toLowerCase()) && !methods.includes("*"))
    throw new NetworkError(`${place} allows only ${methods}`);
  const allowed = listed(preflight.headers, "access-control-allow-headers");
  const refused = headers.filter((name) => !allowed.includes(name) && !allowed.includes("*"));
  if (refused.length > 0) throw new NetworkError(`${place} does not allow ${refused}`);
  if (!(Number(preflight.headers.get("access-control-max-age")) > 0))
    throw new NetworkError(`${place} is asked again for every message`);
}

/** Throws if the page may not read the response. */
export function checkReadable(response: Response, place: string): void {
  requireOrigin(response.headers, "any", place);
}

function requireOrigin(headers: Headers, origin: string, place: string): void {
  const allowed = headers.get("access-control-allow-origin");
  if (allowed !== "*" && allowed !== origin) throw new NetworkError(`${place} may be read by ${allowed} only`);
}

function listed(headers: Headers, name: string): string[] {
  return (headers.get(name) ?? "")
    .toLowerCase()
    .split(",")
    .map((entry) => entry.trim());
}
