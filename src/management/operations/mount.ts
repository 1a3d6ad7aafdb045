import type { Elysia } from "elysia";
import { AppError } from "../../errors.ts";
import { createGathering } from "../../platform/concurrency/gather.ts";
import { hasAddress } from "../../platform/http/address.ts";
import { corsHeaders, preflightHeaders } from "../../platform/http/cors.ts";
import { type HostKind, hostGate, hostReader } from "../../platform/http/hosts.ts";
import { JsonAnswer, jsonType } from "../../platform/http/json-answer.ts";
import { isId } from "../../platform/ids.ts";
import {
  asRequest,
  type CurrentRequest,
  continuedTrace,
  traceHeader,
} from "../../platform/observing/current-request.ts";
import { clientAddressReader } from "../../platform/rate-limits/client-address.ts";
import { createRefusalBrake } from "../../platform/rate-limits/refusal-brake.ts";
import { type AddressPlace, limitRequestsUnderWay } from "../../platform/rate-limits/requests-under-way.ts";
import type { ManagementDependencies } from "../access/dependencies.ts";
import { AskedRequest, type Readers } from "./asked-request.ts";
import { type FailedRequest, failureResponse, unlessAborted } from "./failure.ts";
import type { CountedRequest } from "./metrics.ts";
import type { Operation } from "./operation.ts";
import type { Page, Place } from "./page.ts";
import { type SignInCookie, signInCookieReader } from "./sign-in-cookie.ts";

/** Counts an answered request and logs its line. */
export type OnAnswered = (answered: CountedRequest, request: CurrentRequest) => void;

type Table = {
  readonly operations: readonly Operation[];
  readonly pages: readonly Page[];
  /** Whether bots are served at this host. Pages that accept a token are not served at such a host. */
  isDomainOfBots(host: string): Promise<boolean>;
  /**
   * Whether the listener belongs to the builder. Such a listener accepts the cookies of sign-ins at each of its
   * addresses, and lets no page of another origin read a response.
   */
  readonly isAppListener: boolean;
};

/** A route of the router, for an operation or a page. */
type Route = {
  readonly method: string;
  readonly path: string;
  readonly host: HostKind;
  /** Whether PUBLIC_URL also serves this `chat` route. */
  readonly isForBuilder?: boolean;
  readonly isStep?: boolean;
  /** Whether requests of this route count against the limit of concurrent requests from the client's address. */
  readonly takesPlace?: boolean;
  /** Whether pages of any origin may read the route's responses. */
  readonly hasCors: boolean;
  /** The header `Allow` of a 405. */
  readonly allow?: string;
  /** Returns a response, or a value to serialize as JSON. */
  respond(asked: AskedRequest): unknown;
};

type FramedRoute = Route & {
  readonly operation: string;
  /**
   * The headers of a response that is JSON text. A `Headers` object costs less than a plain object with the same
   * entries.
   */
  readonly jsonHeaders: Headers;
};

/**
 * The routes of a chat's steps for Bun's own router. These routes share `createFrame` with Elysia's routes, and save
 * 1.5 µs per step. Requests with another method, an extra slash or other characters are handled by Elysia.
 */
export type StepRoutes = Record<string, { POST(request: Bun.BunRequest): Response | Promise<Response> }>;

/**
 * Adds every operation and page to the router. All routes share `createFrame`: request id, host, CORS, error shape,
 * metrics. A method that a path does not support gets a 405 with `Allow`. HEAD is answered like GET. On paths with
 * CORS, OPTIONS answers the preflight.
 */
export function mount(app: Elysia, deps: ManagementDependencies, onAnswered: OnAnswered, table: Table): StepRoutes {
  const { isAppListener } = table;
  const answer = createFrame(app, deps, onAnswered, table);
  const routes = [
    ...table.operations.map((operation) => operationRoute(deps, operation)),
    ...table.pages.map((page) => pageRoute(deps, page, table)),
  ].map((route) => (isAppListener ? { ...route, hasCors: false } : route));
  const stepRoutes: StepRoutes = {};
  for (const entry of [...routes, ...routesOfEveryPath(routes)]) {
    const jsonHeaders = new Headers({ ...jsonType, ...(entry.hasCors && corsHeaders) });
    const route = { ...entry, operation: `${entry.method} ${entry.path}`, jsonHeaders };
    app.route(
      route.method,
      route.path,
      // For a path without parameters, Elysia passes no object.
      ({ request, params }) => answer(route, request, params ?? {}),
      // Elysia must not read the body: `platform/http/body.ts` reads it, and explains the reason.
      { parse: "none", config: {} },
    );
    if (!route.isStep || route.method !== "POST") continue;
    stepRoutes[route.path] = {
      POST: (request) =>
        hasAddress(request) && hasPlainParams(request) ? answer(route, request, request.params) : app.fetch(request),
    };
  }
  return stepRoutes;
}

/** Whether both routers parse the parameters equally. They treat dots and encoded characters differently. */
function hasPlainParams({ params }: Bun.BunRequest): boolean {
  for (const name in params) if (!/^[\w-]+$/.test(params[name] ?? "")) return false;
  return true;
}

/**
 * Creates the function that processes every request. It is a single function, because each promise and closure in it
 * adds cost to every step of a chat.
 */
function createFrame(app: Elysia, deps: ManagementDependencies, onAnswered: OnAnswered, { isAppListener }: Table) {
  const readers: Readers = {
    rateLimits: deps.rateLimits,
    remoteAddress: (request) => app.server?.requestIP(request)?.address,
    client: clientAddressReader(deps.config.TRUSTED_PROXIES),
    host: hostReader(deps.config),
    mayAnswer: isAppListener ? () => true : hostGate(deps.config),
    cookie: signInCookieReader(deps.config, { isAppListener }),
  };
  const underWay = limitRequestsUnderWay();
  const brake = createRefusalBrake(deps.clock);
  const isLimited = deps.config.RATE_LIMITS !== "off";
  const gathering = createGathering();
  const { isLeaving } = deps;
  return async (route: FramedRoute, request: Request, params: Place["params"]): Promise<Response> => {
    const startedAt = performance.now();
    const turn = gathering.join();
    if (turn) await turn;
    const asked = new AskedRequest(request, { params, route: route.path }, readers);
    const { known, cookie } = asked;
    const { method } = known;
    // The ids come from the path. A step may replace them.
    const current: CurrentRequest = {
      requestId: known.requestId,
      botId: idIn(params["botId"] ?? params["typebotId"]),
      sessionId: idIn(params["sessionId"]),
      trace: continuedTrace(request.headers.get(traceHeader)),
    };
    deps.traces?.begin(current);
    const address = isLimited && route.takesPlace ? asked.client().address : undefined;
    let place: AddressPlace | undefined;
    let response: Response;
    try {
      if (address !== undefined) place = underWay.begin(address);
      const answer = await asRequest(current, () => respond(route, asked));
      response = responseOf(answer, asked, route);
    } catch (thrown) {
      const failed = unlessAborted(request, thrown);
      response = withCors(
        route,
        asRequest(current, () => failureResponse(failed, known, deps)),
      );
    } finally {
      gathering.leave();
      if (place) underWay.end(place);
      current.isOver = true;
    }
    const { status } = response;
    if (status === 503) {
      for (const [name, value] of deps.hops.mark(request, () => asked.client().own)) response.headers.set(name, value);
    }
    const endedAt = performance.now();
    // The route of a 405 matches any method, so the name of the operation contains the method of the request.
    const operation = method === route.method ? route.operation : `${method} ${route.path}`;
    onAnswered(
      { method, route: route.path, operation, status, isStep: route.isStep ?? false, ms: endedAt - startedAt },
      current,
    );
    deps.traces?.end(current, { ...known, operation, status, startedAt, endedAt });
    if (status === 429) await brake.hold();
    if (isAppListener || cookie) withPrivateCaching(response, cookie);
    if (isLeaving()) closeAfter(response);
    return framed(response, route, known);
  };
}

/** Makes Bun close the connection after the response, so that clients with open connections move to another node. */
export function closeAfter({ headers }: Response): void {
  headers.set("Connection", "close");
}

function idIn(param: unknown): string | undefined {
  return typeof param === "string" && isId(param) ? param : undefined;
}

function respond(route: Route, asked: AskedRequest): unknown {
  const host = route.isForBuilder ? "both" : route.host;
  if (host !== "both" && !asked.isAnswered(host)) throw new AppError("route.not_found");
  return route.respond(asked);
}

function responseOf(answer: unknown, { answerHeaders }: AskedRequest, route: FramedRoute): Response {
  const isText = answer instanceof JsonAnswer;
  if (!isText && !(answer instanceof Response))
    return withCors(route, Response.json(answer, { headers: answerHeaders }));
  const response = isText ? new Response(answer.text, { headers: route.jsonHeaders }) : withCors(route, answer);
  for (const name in answerHeaders) response.headers.set(name, answerHeaders[name] ?? "");
  return response;
}

function withCors({ hasCors }: Route, response: Response): Response {
  if (hasCors) for (const [name, value] of corsEntries) response.headers.set(name, value);
  return response;
}

const corsEntries = Object.entries(corsHeaders);

/**
 * Adds the cookie and lets only the service's own pages read the response. A response without `Cache-Control` is not
 * stored by shared caches, because it may contain data of the signed-in user.
 */
function withPrivateCaching({ headers }: Response, cookie: SignInCookie | undefined): void {
  for (const given of cookie?.headers() ?? []) headers.append("Set-Cookie", given);
  headers.set("Cross-Origin-Resource-Policy", "same-origin");
  if (!headers.has("cache-control")) headers.set("Cache-Control", "private, no-cache");
}

function framed(response: Response, route: Route, { requestId, method }: FailedRequest): Response {
  const { headers } = response;
  // On the wrong host, the response is a 404, which must not list the path's methods.
  if (route.allow && response.status === 405) headers.set("Allow", route.allow);
  headers.set("X-Request-Id", requestId);
  return method === "HEAD" ? new Response(null, response) : response;
}

function operationRoute(deps: ManagementDependencies, operation: Operation): Route {
  return {
    method: operation.method,
    path: operation.path,
    host: operation.host,
    isForBuilder: operation.isForBuilder,
    isStep: operation.isStep,
    takesPlace: operation.act !== undefined,
    hasCors: operation.host === "chat",
    respond: (asked) => operation.perform(deps, asked),
  };
}

function pageRoute(deps: ManagementDependencies, page: Page, table: Table): Route {
  return {
    method: page.method ?? "GET",
    path: page.path,
    host: page.host,
    takesPlace: page.method === "POST",
    hasCors: page.isReadAnywhere ?? false,
    async respond(asked) {
      if (page.takesToken && (await table.isDomainOfBots(asked.host()))) throw new AppError("route.not_found");
      return page.respond(deps, asked.request, asked);
    },
  };
}

/** Returns the HEAD, preflight and 405 routes of each path. */
function routesOfEveryPath(routes: readonly Route[]): Route[] {
  return [...Map.groupBy(routes, (route) => route.path)].flatMap(([path, onPath]) => {
    const get = onPath.find((route) => route.method === "GET");
    const host = onPath[0]?.host ?? "both";
    const hasCors = onPath.some((route) => route.hasCors);
    const methods = onPath.map((route) => route.method);
    if (get) methods.push("HEAD");
    if (hasCors) methods.push("OPTIONS");
    const shared = { path, host, hasCors };
    const refuse = () => {
      throw new AppError("route.method_not_allowed");
    };
    const added: Route[] = [{ ...shared, method: "ALL", allow: methods.join(", "), respond: refuse }];
    if (get) added.push({ ...shared, method: "HEAD", respond: get.respond });
    if (hasCors) added.push({ ...shared, method: "OPTIONS", respond: () => preflight(methods) });
    return added;
  });
}

function preflight(methods: readonly string[]): Response {
  return new Response(null, { status: 204, headers: preflightHeaders(methods) });
}
