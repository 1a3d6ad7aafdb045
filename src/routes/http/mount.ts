import type { Elysia } from "elysia";
import type { Dependencies } from "../../dependencies.ts";
import { AppError } from "../../errors.ts";
import { corsHeaders, preflightHeaders } from "./cors.ts";
import { failureResponse } from "./failure.ts";
import { type HostKind, hostGate } from "./hosts.ts";
import type { HttpMetrics } from "./metrics.ts";
import type { Operation } from "./operation.ts";
import type { Page } from "./page.ts";
import { requestIdOf } from "./request-id.ts";

type Table = { readonly operations: readonly Operation[]; readonly pages: readonly Page[] };

/** One entry of the router, whatever it was made from. */
type Route = {
  readonly method: string;
  readonly path: string;
  readonly host: HostKind;
  readonly isStep?: boolean;
  /** The header of a 405. */
  readonly allow?: string;
  respond(request: Request, params: Readonly<Record<string, unknown>>): Promise<Response>;
};

/**
 * Puts every operation and page on the router, each inside the same frame: request id, host, CORS, the one error shape,
 * metrics. Methods that a path does not know answer 405 with `Allow`; HEAD answers wherever GET does; on chat paths
 * OPTIONS answers the preflight.
 */
export function mount(app: Elysia, deps: Dependencies, metrics: HttpMetrics, table: Table): void {
  const mayAnswer = hostGate(deps.config);
  const routes = [
    ...table.operations.map((operation) => operationRoute(deps, operation)),
    ...table.pages.map((page) => pageRoute(deps, page)),
  ];
  for (const route of [...routes, ...routesOfEveryPath(routes)]) {
    app.route(
      route.method,
      route.path,
      async ({ request, params, server }) => {
        const startedAt = performance.now();
        const known = { requestId: requestIdOf(request.headers), method: request.method, route: route.path };
        const isHere = mayAnswer(route.host, request, () => server?.requestIP(request)?.address);
        const response = await respond(route, request, params, isHere).catch((thrown) =>
          failureResponse(thrown, known, deps.log),
        );
        const { status } = response;
        metrics.count({ ...known, status, isStep: route.isStep ?? false, ms: performance.now() - startedAt });
        return framed(response, route, known);
      },
      // Bodies are read by ours: body.ts says why.
      { parse: "none", config: {} },
    );
  }
}

async function respond(
  route: Route,
  request: Request,
  params: Readonly<Record<string, unknown>>,
  isHere: boolean,
): Promise<Response> {
  if (!isHere) throw new AppError("route.not_found");
  return route.respond(request, params);
}

function framed(
  response: Response,
  route: Route,
  { requestId, method }: { requestId: string; method: string },
): Response {
  // Only an answer that the gate let through may tell what the path knows.
  if (route.allow && response.status === 405) response.headers.set("Allow", route.allow);
  if (route.host === "chat") for (const [name, value] of corsEntries) response.headers.set(name, value);
  response.headers.set("X-Request-Id", requestId);
  return method === "HEAD" ? new Response(null, response) : response;
}

const corsEntries = Object.entries(corsHeaders);

function operationRoute(deps: Dependencies, operation: Operation): Route {
  return {
    method: operation.method,
    path: operation.path,
    host: operation.host,
    isStep: operation.isStep,
    async respond(request, params) {
      const answerHeaders: Record<string, string> = {};
      const answer = await operation.perform(deps, { request, params, answerHeaders });
      if (!(answer instanceof Response)) return Response.json(answer, { headers: answerHeaders });
      for (const [name, value] of Object.entries(answerHeaders)) answer.headers.set(name, value);
      return answer;
    },
  };
}

function pageRoute(deps: Dependencies, page: Page): Route {
  return {
    method: "GET",
    path: page.path,
    host: page.host,
    respond: async (request) => page.respond(deps, request),
  };
}

/** For each path its HEAD, its preflight and its 405. */
function routesOfEveryPath(routes: readonly Route[]): Route[] {
  return [...Map.groupBy(routes, (route) => route.path)].flatMap(([path, onPath]) => {
    const get = onPath.find((route) => route.method === "GET");
    const host = onPath[0]?.host ?? "both";
    const methods = onPath.map((route) => route.method);
    if (get) methods.push("HEAD");
    if (host === "chat") methods.push("OPTIONS");
    const shared = { path, host };
    const refuse = async () => {
      throw new AppError("route.method_not_allowed");
    };
    const added: Route[] = [{ ...shared, method: "ALL", allow: methods.join(", "), respond: refuse }];
    if (get) added.push({ ...shared, method: "HEAD", respond: get.respond });
    if (host === "chat") added.push({ ...shared, method: "OPTIONS", respond: async () => preflight(methods) });
    return added;
  });
}

function preflight(methods: readonly string[]): Response {
  return new Response(null, { status: 204, headers: preflightHeaders(methods) });
}
