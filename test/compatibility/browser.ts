/** A browser's preflight before a cross-origin request, and its checks of the answer. */
export type CrossRequest = {
  readonly url: string;
  readonly origin: string;
  readonly method: string;
  /** Lower-case names of headers that are not simple. */
  readonly headers: readonly string[];
};

/** An error that the browser would show as a network error. */
export class NetworkError extends Error {
  override readonly name = "NetworkError";
}

/** Asks whether the request may be sent, as browsers do. */
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

/** Whether the page may read the answer, with any status. */
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
