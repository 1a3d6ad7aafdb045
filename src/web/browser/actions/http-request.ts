import { at, isObject, textAt } from "../../conversation/read.ts";
import type { RunAction } from "./action.ts";

/**
 * Calls another server from the visitor's browser. Replies with the status and the parsed body of the response as JSON.
 * A call without a usable response replies with status 500.
 */
export const httpRequest: RunAction = async (action) => {
  const request = at(action, "httpRequestToExecute");
  const reply = { type: "text", text: JSON.stringify(await call(request)) } as const;
  // The reply's text is JSON within JSON, so each quote in the text is escaped with an extra byte.
  const isTooLarge = new TextEncoder().encode(JSON.stringify(reply)).length > mostBytes;
  return isTooLarge ? { type: "text", text: JSON.stringify(failedFor("too_large")) } : reply;
};

/** Why a call failed. `Webhook` blocks write the reason to the log. */
type Failure = "blocked_by_page" | "unreachable" | "timed_out" | "not_json" | "too_large";

/** The result of a call. A flow can save `statusCode` and `data`. `failure` is used only for the log. */
type Called = { readonly statusCode: number; readonly data: unknown; readonly failure?: Failure };

async function call(request: unknown): Promise<Called> {
  const method = textAt(request, "method") ?? "GET";
  const body = at(request, "body");
  const given = at(request, "headers");
  const headers = isObject(given) ? Object.entries(given).map(([name, value]) => [name, String(value)]) : [];
  const hasBody = body !== undefined && body !== null && !["GET", "HEAD"].includes(method);
  const url = textAt(request, "url") ?? "";
  const page = watchPolicy();
  const signal = AbortSignal.timeout(timeoutMs);
  try {
    const response = await fetch(url, {
      method,
      headers: Object.fromEntries(headers),
      ...(hasBody && { body: typeof body === "string" ? body : JSON.stringify(body) }),
      signal,
    });
    const text = await response.text();
    try {
      return { statusCode: response.status, data: JSON.parse(text) };
    } catch {
      return failedFor("not_json");
    }
  } catch {
    if (signal.aborted) return failedFor("timed_out");
    return failedFor(isMixed(url) || (await page.hasRefused()) ? "blocked_by_page" : "unreachable");
  } finally {
    page.end();
  }
}

function failedFor(failure: Failure): Called {
  return { statusCode: 500, data: "An error occured while executing the webhook on the client", failure };
}

/** Watches for requests that the page's content security policy blocks. The page may belong to another site. */
function watchPolicy() {
  let isRefused = false;
  const note = ({ effectiveDirective, disposition }: SecurityPolicyViolationEvent): void => {
    if (effectiveDirective === "connect-src" && disposition === "enforce") isRefused = true;
  };
  document.addEventListener("securitypolicyviolation", note);
  return {
    /** Waits briefly for the browser's report of a blocked request, which arrives after the request has failed. */
    async hasRefused(): Promise<boolean> {
      for (let turn = 0; turn < 5 && !isRefused; turn++) await new Promise((resolve) => setTimeout(resolve, 10));
      return isRefused;
    },
    end: () => document.removeEventListener("securitypolicyviolation", note),
  };
}

/**
 * Whether a page served over HTTPS requests a plain HTTP URL, which browsers block. URLs on the visitor's own machine
 * are not blocked.
 */
function isMixed(address: string): boolean {
  const url = URL.parse(address, location.href);
  if (location.protocol !== "https:" || url?.protocol !== "http:") return false;
  return !/^(localhost|.+\.localhost|127(\.\d+){3}|\[::1\])$/.test(url.hostname);
}

/** Equals the longest timeout that a flow can set for the service's own requests. */
const timeoutMs = 120_000;
/** The service rejects a reply of more than 64 KiB of JSON. */
const mostBytes = 65_000;
