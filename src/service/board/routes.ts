import { cleanText } from "../../core/documents/incoming-json.ts";
import { AppError } from "../../errors.ts";
import { limits } from "../../limits/index.ts";
import { needsToken } from "../../management/operations/authentication.ts";
import type { Page } from "../../management/operations/page.ts";
import { readJsonBody } from "../../platform/http/body.ts";
import type { Dependencies } from "../dependencies.ts";
import { boardFiles } from "./files.ts";
import { boardPage } from "./page.ts";
import startScript from "./start.js" with { type: "text" };
import style from "./style.css" with { type: "text" };

const root = "/admin/queues";
const host = "management";

/**
 * Returns the routes of the job board. The page and its files require no token and contain no data. The page's API
 * calls require a token with the scope `admin`. Cookies and Basic authentication are not used, so no other page can act
 * on behalf of an administrator.
 */
export function boardPages(): Page[] {
  return [
    ...["", "/", "/queue/:queueName", "/queue/:queueName/:jobId"].map((path) => ({
      ...textPage(`${root}${path}`, "text/html; charset=utf-8", boardPage),
      takesToken: true,
    })),
    textPage("/assets/board/start.js", "text/javascript; charset=utf-8", startScript),
    textPage("/assets/board/style.css", "text/css; charset=utf-8", style),
    { path: `${root}/static/*`, host, respond: (_deps, request) => fileResponse(pathBelowRoot(request)) },
    ...(["GET", "POST", "PUT", "PATCH", "DELETE"] as const).map((method) => callPage(method)),
  ];
}

const contentSecurityPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  // Bull Board's editor and dialogs create inline styles.
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "connect-src 'self'",
  // The page's addresses are relative to its `base` element.
  "base-uri 'self'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join("; ");

const pageHeaders = {
  "Content-Security-Policy": contentSecurityPolicy,
  "X-Frame-Options": "DENY",
  "X-Content-Type-Options": "nosniff",
  "Referrer-Policy": "no-referrer",
  "Cross-Origin-Opener-Policy": "same-origin",
  "Cache-Control": "no-store",
};

function textPage(path: string, contentType: string, text: string): Page {
  const headers = { ...pageHeaders, "Content-Type": contentType };
  return { path, host, respond: () => new Response(text, { headers }) };
}

/**
 * Returns one of Bull Board's files. Throws `route.not_found` for any other path, which also prevents path traversal.
 */
function fileResponse(path: string): Response {
  const file = boardFiles.get(path.slice(1));
  if (file === undefined) throw new AppError("route.not_found");
  const isHashed = /\.[0-9a-f]{8}\.(js|css)$/.test(path);
  return new Response(Bun.file(file), {
    headers: {
      "Content-Type": contentTypes.get(path.slice(path.lastIndexOf("."))) ?? "text/plain; charset=utf-8",
      "Cache-Control": `public, max-age=${isHashed ? "31536000, immutable" : "3600"}`,
      "X-Content-Type-Options": "nosniff",
    },
  });
}

const contentTypes = new Map([
  [".js", "text/javascript; charset=utf-8"],
  [".css", "text/css; charset=utf-8"],
  [".json", "application/json; charset=utf-8"],
  [".svg", "image/svg+xml"],
  [".png", "image/png"],
  [".ico", "image/x-icon"],
]);

function callPage(method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE"): Page<Dependencies> {
  return {
    method,
    path: `${root}/api/*`,
    host,
    async respond(deps, request, place) {
      const admission = place.admission({ isPatient: false });
      await needsToken("admin").authenticate(deps, { headers: request.headers }, admission);
      const path = pathBelowRoot(request);
      const board = await deps.board?.();
      const methods = board?.methodsOf(path) ?? [];
      if (!board || methods.length === 0) throw new AppError("route.not_found");
      if (!methods.includes(method)) throw new AppError("route.method_not_allowed");
      const body =
        method === "GET" ? {} : await readJsonBody(request, { maxBytes: limits.request.managementBodyBytes });
      const { status, body: answer } = await board.answer({
        method,
        path,
        query: Object.fromEntries(
          [...new URL(request.url).searchParams].map(([key, value]) => [key, cleanText(value)]),
        ),
        body: isRecord(body) ? body : {},
      });
      const headers = { "Cache-Control": "no-store", "X-Content-Type-Options": "nosniff" };
      return status === 204 ? new Response(null, { status, headers }) : Response.json(answer, { status, headers });
    },
  };
}

function pathBelowRoot(request: Request): string {
  return new URL(request.url).pathname.slice(root.length);
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return value !== null && typeof value === "object" && !Array.isArray(value);
}
