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

/** Counts an answered request, and writes its line. */
export type OnAnswered = (answered: CountedRequest, request: CurrentRequest) => void;

type Table = {
  readonly operations: readonly Operation[];
  readonly pages: readonly Page[];
  /** Whether bots are served at this host: pages that accept a token are not. */
  isDomainOfBots(host: string): Promise<boolean>;
  /**
   * Whether the listener is the builder's own, where cookies of sign-ins are valid and no page of another origin may
   * read any response.
   */
  readonly isAppListener: boolean;
};

/** One entry of the router, of an operation or a page. */
type Route = {
  readonly method: string;
  readonly path: string;
  readonly host: HostKind;
  /** Whether PUBLIC_URL also serves this `chat` route. */
  readonly isForBuilder?: boolean;
  readonly isStep?: boolean;
  /** Whether the route counts among the running requests of its client's address, which are limited. */
  readonly takesPlace?: boolean;
  /** Whether pages of any origin may read the route's answers. */
  readonly hasCors: boolean;
  /** The header `Allow` of a 405. */
  readonly allow?: string;
  /** A response, or a value that becomes one as JSON. */
  respond(asked: AskedRequest): unknown;
};

type FramedRoute = Route & {
  /** The route's method and path. */
  readonly operation: string;
  /**
   * Headers of a response that is JSON text. Headers of one object cost less than the same ones as an object's entries.
   */
  readonly jsonHeaders: Headers;
};

/**
 * The steps of chats, for Bun's own router: the same entries of the table in the same frame, 1.5 µs a step cheaper than
 * through Elysia. Requests with another method, an additional slash or other characters go to Elysia.
 */
export type StepRoutes = Record<string, { POST(request: Bun.BunRequest): Response | Promise<Response> }>;

/**
 * Puts every operation and page on the router, each inside the same frame: request id, host, CORS, the single error
 * shape, metrics. Methods that a path does not support get 405 with `Allow`; HEAD is answered like GET; on chat paths
 * OPTIONS answers the preflight.
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
      // A path without parameters comes without an object for them.
      ({ request, params }) => answer(route, request, params ?? {}),
      // Elysia reads no body: `platform/http/body.ts` reads it, and explains why.
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

/** Whether both routers read the parameters alike: they differ in dots, and in what they decode. */
function hasPlainParams({ params }: Bun.BunRequest): boolean {
  for (const name in params) if (!/^[\w-]+$/.test(params[name] ?? "")) return false;
  return true;
}

/**
 * The processing of every request. It is a single function, since every step of a chat pays for each promise and each
 * closure in it.
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
    // The ids in the path; steps know more exactly where they belong.
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
    // For a method that the path does not support, the route is that of all other methods.
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

/** Bun closes the connection after the response: clients with open connections are moved to another node. */
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
 * Lets only the service's own pages read the response, and keeps shared caches from storing it: it may contain data of
 * the signed-in user.
 */
function withPrivateCaching({ headers }: Response, cookie: SignInCookie | undefined): void {
  for (const given of cookie?.headers() ?? []) headers.append("Set-Cookie", given);
  headers.set("Cross-Origin-Resource-Policy", "same-origin");
  if (!headers.has("cache-control")) headers.set("Cache-Control", "private, no-cache");
}

function framed(response: Response, route: Route, { requestId, method }: FailedRequest): Response {
  const { headers } = response;
  // The gate answers 404 on the wrong host, which must not list the path's methods.
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

/** The HEAD, preflight and 405 routes of each path. */
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
