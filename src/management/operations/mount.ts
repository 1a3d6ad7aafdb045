import type { Elysia } from "elysia";
import { AppError } from "../../errors.ts";
import { corsHeaders, preflightHeaders } from "../../platform/http/cors.ts";
import { type HostKind, hostGate, hostReader } from "../../platform/http/hosts.ts";
import { requestIdOf } from "../../platform/http/request-id.ts";
import { isId } from "../../platform/ids.ts";
import {
  asRequest,
  type CurrentRequest,
  continuedTrace,
  traceHeader,
} from "../../platform/observing/current-request.ts";
import { type ClientAddress, clientAddressReader } from "../../platform/rate-limits/client-address.ts";
import { createRefusalBrake } from "../../platform/rate-limits/refusal-brake.ts";
import { limitRequestsUnderWay } from "../../platform/rate-limits/requests-under-way.ts";
import type { ManagementDependencies } from "../access/dependencies.ts";
import { failureResponse, unlessAborted } from "./failure.ts";
import type { CountedRequest } from "./metrics.ts";
import type { Operation } from "./operation.ts";
import type { Page, Place } from "./page.ts";
import { type SignInCookie, signInCookieReader } from "./sign-in-cookie.ts";

/** Counts a request that was answered, and writes its line. */
export type OnAnswered = (answered: CountedRequest, request: CurrentRequest) => void;

type Table = {
  readonly operations: readonly Operation[];
  readonly pages: readonly Page[];
  /** Whether bots are served at this host: pages that take a token are not. */
  isDomainOfBots(host: string): Promise<boolean>;
  /** Whether it is the builder's own listener, where cookies of sign-ins count, and no page of another origin may read anything. */
  readonly isAppListener: boolean;
};

/** The router's facts about a request. */
type Asked = Place & { readonly cookie: SignInCookie | undefined };

/** One entry of the router, of an operation or a page. */
type Route = {
  readonly method: string;
  readonly path: string;
  readonly host: HostKind;
  /** Whether PUBLIC_URL answers this `chat` route, too. */
  readonly isForBuilder?: boolean;
  readonly isStep?: boolean;
  /** Whether it counts among the running requests of its client's address, which are limited. */
  readonly takesPlace?: boolean;
  /** Whether pages of any origin may read its answers. */
  readonly hasCors: boolean;
  /** The header of a 405. */
  readonly allow?: string;
  respond(request: Request, asked: Asked): Promise<Response>;
};

/**
 * Puts every operation and page on the router, each inside the same frame: request id, host, CORS, the one error shape,
 * metrics. Methods that a path does not know answer 405 with `Allow`; HEAD answers wherever GET does; on chat paths
 * OPTIONS answers the preflight.
 */
export function mount(app: Elysia, deps: ManagementDependencies, onAnswered: OnAnswered, table: Table): void {
  const { isAppListener } = table;
  const mayAnswer = isAppListener ? () => true : hostGate(deps.config);
  const readCookie = signInCookieReader(deps.config, { isAppListener });
  const readHost = hostReader(deps.config);
  const readClient = clientAddressReader(deps.config.TRUSTED_PROXIES);
  const underWay = limitRequestsUnderWay();
  const brake = createRefusalBrake(deps.clock);
  const isLimited = deps.config.RATE_LIMITS !== "off";
  const routes = [
    ...table.operations.map((operation) => operationRoute(deps, operation)),
    ...table.pages.map((page) => pageRoute(deps, page, table)),
  ].map((route) => (isAppListener ? { ...route, hasCors: false } : route));
  for (const route of [...routes, ...routesOfEveryPath(routes)]) {
    app.route(
      route.method,
      route.path,
      async ({ request, params, server }) => {
        const startedAt = performance.now();
        const known = { requestId: requestIdOf(request.headers), method: request.method, route: route.path };
        const remoteAddress = () => server?.requestIP(request)?.address;
        const isAnswered = (kind: HostKind) => mayAnswer(kind, request, remoteAddress);
        let read: ClientAddress | undefined;
        const client = () => (read ??= readClient(remoteAddress(), request.headers.get("x-forwarded-for")));
        const host = () => readHost(request, remoteAddress);
        const cookie = readCookie(request, host);
        const asked = {
          // A path without parameters comes without their object.
          params: params ?? {},
          host,
          admission: (options: { isPatient: boolean }) => deps.rateLimits.admission(client, options),
          isAnswered,
          known,
          cookie,
        };
        const address = isLimited && route.takesPlace ? client().address : undefined;
        const answer = () => respond(route, request, asked);
        const current: CurrentRequest = { requestId: known.requestId, ...namedIn(asked.params) };
        const trace = continuedTrace(request.headers.get(traceHeader));
        if (trace) current.trace = trace;
        deps.traces?.begin(current);
        const response = await asRequest(current, () =>
          (address === undefined ? answer() : underWay.run(address, answer)).catch((thrown) =>
            failureResponse(unlessAborted(request, thrown), known, deps),
          ),
        );
        const { status } = response;
        if (status === 503) {
          for (const [name, value] of deps.hops.mark(request, () => client().own)) response.headers.set(name, value);
        }
        const endedAt = performance.now();
        onAnswered({ ...known, status, isStep: route.isStep ?? false, ms: endedAt - startedAt }, current);
        const operation = `${request.method} ${route.path}`;
        deps.traces?.end(current, { ...known, operation, status, startedAt, endedAt });
        if (status === 429) await brake.hold();
        if (isAppListener || cookie) withPrivateCaching(response, cookie);
        return framed(response, route, known);
      },
      // Elysia reads no body: `platform/http/body.ts` does, and says why.
      { parse: "none", config: {} },
    );
  }
}

/** Lets only our own pages read the response, and keeps shared caches from storing it: it may contain data of the signed-in user. */
function withPrivateCaching({ headers }: Response, cookie: SignInCookie | undefined): void {
  for (const given of cookie?.headers() ?? []) headers.append("Set-Cookie", given);
  headers.set("Cross-Origin-Resource-Policy", "same-origin");
  if (!headers.has("cache-control")) headers.set("Cache-Control", "private, no-cache");
}

/** The ids in the path; steps know more exactly where they belong. */
function namedIn({ botId, typebotId, sessionId }: Place["params"]): Pick<CurrentRequest, "botId" | "sessionId"> {
  const bot = botId ?? typebotId;
  return {
    ...(typeof bot === "string" && isId(bot) && { botId: bot }),
    ...(typeof sessionId === "string" && isId(sessionId) && { sessionId }),
  };
}

async function respond(route: Route, request: Request, asked: Asked): Promise<Response> {
  if (!asked.isAnswered(route.isForBuilder ? "both" : route.host)) throw new AppError("route.not_found");
  return route.respond(request, asked);
}

function framed(
  response: Response,
  route: Route,
  { requestId, method }: { requestId: string; method: string },
): Response {
  // The gate answers 404 on the wrong host, which must not list the path's methods.
  if (route.allow && response.status === 405) response.headers.set("Allow", route.allow);
  if (route.hasCors) for (const [name, value] of corsEntries) response.headers.set(name, value);
  response.headers.set("X-Request-Id", requestId);
  return method === "HEAD" ? new Response(null, response) : response;
}

const corsEntries = Object.entries(corsHeaders);

function operationRoute(deps: ManagementDependencies, operation: Operation): Route {
  return {
    method: operation.method,
    path: operation.path,
    host: operation.host,
    isForBuilder: operation.isForBuilder,
    isStep: operation.isStep,
    takesPlace: operation.act !== undefined,
    hasCors: operation.host === "chat",
    async respond(request, { params, admission, cookie }) {
      const answerHeaders: Record<string, string> = {};
      const answer = await operation.perform(deps, { request, params, answerHeaders, admission, cookie });
      if (!(answer instanceof Response)) return Response.json(answer, { headers: answerHeaders });
      for (const [name, value] of Object.entries(answerHeaders)) answer.headers.set(name, value);
      return answer;
    },
  };
}

function pageRoute(deps: ManagementDependencies, page: Page, table: Table): Route {
  return {
    method: page.method ?? "GET",
    path: page.path,
    host: page.host,
    takesPlace: page.method === "POST",
    hasCors: page.isReadAnywhere ?? false,
    async respond(request, place) {
      if (page.takesToken && (await table.isDomainOfBots(place.host()))) throw new AppError("route.not_found");
      return page.respond(deps, request, place);
    },
  };
}

/** For each path its HEAD, its preflight and its 405. */
function routesOfEveryPath(routes: readonly Route[]): Route[] {
  return [...Map.groupBy(routes, (route) => route.path)].flatMap(([path, onPath]) => {
    const get = onPath.find((route) => route.method === "GET");
    const host = onPath[0]?.host ?? "both";
    const hasCors = onPath.some((route) => route.hasCors);
    const methods = onPath.map((route) => route.method);
    if (get) methods.push("HEAD");
    if (hasCors) methods.push("OPTIONS");
    const shared = { path, host, hasCors };
    const refuse = async () => {
      throw new AppError("route.method_not_allowed");
    };
    const added: Route[] = [{ ...shared, method: "ALL", allow: methods.join(", "), respond: refuse }];
    if (get) added.push({ ...shared, method: "HEAD", respond: get.respond });
    if (hasCors) added.push({ ...shared, method: "OPTIONS", respond: async () => preflight(methods) });
    return added;
  });
}

function preflight(methods: readonly string[]): Response {
  return new Response(null, { status: 204, headers: preflightHeaders(methods) });
}
