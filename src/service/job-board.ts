import { createBullBoard } from "@bull-board/api";
import type {
  AppControllerRoute,
  BullBoardQueues,
  BullBoardRequest,
  ControllerHandlerReturnType,
  IServerAdapter,
} from "@bull-board/api/typings/app";
import { AppError } from "../errors.ts";
import { readPauses } from "../limits/retry-settings.ts";
import { EventBoardAdapter } from "../management/events/delivery/board-adapter.ts";
import type { Sql } from "../platform/database/sql.ts";
import { percentDecoded } from "../platform/http/percent-decoded.ts";
import { BoardAdapter } from "../platform/queue/board-adapter.ts";
import type { Queue } from "../platform/queue/queue.sql.ts";
import { queueNames, queueOptions } from "../platform/queue/queues.ts";

export type BoardParts = {
  readonly sql: Sql;
  readonly queue: Queue;
  /** The value of EVENT_RETRY_SECONDS. */
  readonly retries: string;
};

/** A call of the board's page: its path, starting with `/api`, and its data. */
export type BoardCall = {
  readonly method: string;
  readonly path: string;
  readonly query: Readonly<Record<string, string>>;
  readonly body: Readonly<Record<string, unknown>>;
};

/** The API of the job board. */
export type Board = {
  /** Returns the methods that a path supports. The list is empty if the path does not exist. */
  methodsOf(path: string): string[];
  /** Answers a call in Bull Board's own format. Throws an AppError if the call fails. */
  answer(call: BoardCall): Promise<{ status: number; body: string | object }>;
};

/** Runs Bull Board's handlers for Parley's queues, without a web framework. */
export function createBoard({ sql, queue, retries }: BoardParts): Board {
  const deadLetters = new Set<string>(queueOptions().flatMap(([, { deadLetter }]) => deadLetter ?? []));
  const adapters = new Map(
    queueNames.map((name): [string, BoardAdapter | EventBoardAdapter] =>
      name === "events"
        ? [name, new EventBoardAdapter(sql, readPauses(retries).length + 1)]
        : [name, new BoardAdapter({ sql, queue, name, isDeadLetters: deadLetters.has(name) })],
    ),
  );
  const { routes, queues } = handlersOf([...adapters.values()]);

  const retryAll = async ({ queueName, queueStatus }: Params): Promise<ControllerHandlerReturnType> => {
    const adapter = adapters.get(queueName ?? "");
    if (!adapter) throw new AppError("queue.not_found");
    if (queueStatus !== "failed")
      throw new AppError("job.not_possible", { message: "Only failed jobs can be retried." });
    await adapter.retryAll();
    return { body: {} };
  };
  const find = (path: string) =>
    routes.flatMap((route) => {
      const params = route.match(path);
      return params === undefined ? [] : [{ ...route, params }];
    });

  return {
    methodsOf: (path) => find(path).map((route) => route.method),
    async answer({ method, path, query, body }) {
      const route = find(path).find((candidate) => candidate.method === method);
      if (!route) throw new AppError("route.not_found");
      // Bull Board's own implementation would load all failed jobs simultaneously.
      if (route.pattern === "/api/queues/:queueName/retry/:queueStatus") return checked(await retryAll(route.params));
      const request = { queues, uiConfig, query: readable(query), body, params: route.params, headers: {} };
      return checked(await route.handle(request));
    },
  };
}

const uiConfig = { hideRedisDetails: true };

type Params = Readonly<Record<string, string>>;

type Route = {
  readonly method: string;
  readonly pattern: string;
  /** Returns the path's parameters, or undefined if the path belongs to another route. */
  match(path: string): Params | undefined;
  handle(request: BullBoardRequest): Promise<ControllerHandlerReturnType>;
};

/** Collects the handlers that Bull Board would register with a web framework. */
function handlersOf(adapters: (BoardAdapter | EventBoardAdapter)[]): { routes: Route[]; queues: BullBoardQueues } {
  let routes: Route[] = [];
  let queues: BullBoardQueues = new Map();
  const server: IServerAdapter = {
    setQueues(given) {
      queues = given;
      return server;
    },
    setApiRoutes(given) {
      routes = given.flatMap(routesOf);
      return server;
    },
    setViewsPath: () => server,
    setStaticPath: () => server,
    setEntryRoute: () => server,
    setErrorHandler: () => server,
    setUIConfig: () => server,
  };
  // Without `uiBasePath`, Bull Board would search for a package that the binary does not contain.
  createBullBoard({ queues: adapters, serverAdapter: server, options: { uiBasePath: "/", uiConfig } });
  return { routes, queues };
}

function routesOf({ method, route, handler }: AppControllerRoute): Route[] {
  return [route].flat().flatMap((pattern) => {
    const expression = new RegExp(`^${pattern.replaceAll(/:(\w+)/g, "(?<$1>[^/]+)")}$`);
    return [method].flat().map((word) => ({
      method: word.toUpperCase(),
      pattern,
      match: (path: string) => decoded(expression.exec(path)),
      handle: async (request: BullBoardRequest) => handler(request),
    }));
  });
}

function decoded(found: RegExpExecArray | null): Params | undefined {
  if (!found) return undefined;
  try {
    return Object.fromEntries(
      Object.entries(found.groups ?? {}).map(([name, value]) => [name, decodeURIComponent(value)]),
    );
  } catch {
    // A name that cannot be decoded matches no route.
    return undefined;
  }
}

/** Makes any query valid for Bull Board, which decodes `activeQueue` without error handling and requires `status`. */
function readable(query: BoardCall["query"]): BoardCall["query"] {
  const { activeQueue = "", status = "latest", ...rest } = query;
  return { ...rest, status, activeQueue: encodeURIComponent(percentDecoded(activeQueue)) };
}

/**
 * Returns a successful response. Throws an `AppError` for any other response, so that clients receive errors in
 * Parley's format.
 */
function checked({ status = 200, body }: ControllerHandlerReturnType): { status: number; body: string | object } {
  if (status < 400) return { status, body };
  const reason = typeof body === "string" ? body : String(body["error"]);
  if (reason === "Queue not found") throw new AppError("queue.not_found");
  if (reason === "Job not found") throw new AppError("job.not_found");
  if (status === 400) throw new AppError("job.not_possible", { message: `${reason}.` });
  throw new AppError("route.not_found");
}
