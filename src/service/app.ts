import { Elysia } from "elysia";
import { filePage } from "../chat/routes/uploads.routes.ts";
import { AppError } from "../errors.ts";
import { isDomainOfBots } from "../management/domains/custom-domains.ts";
import { workspaceFilePage } from "../management/files/workspace-files.routes.ts";
import { metricsPage } from "../management/instance/health.routes.ts";
import { createAccessLines } from "../management/operations/access-lines.ts";
import { failureResponse } from "../management/operations/failure.ts";
import { createHttpMetrics, type HttpMetrics } from "../management/operations/metrics.ts";
import { closeAfter, mount, type OnAnswered } from "../management/operations/mount.ts";
import { requireAddress } from "../platform/http/address.ts";
import { requestIdOf } from "../platform/http/request-id.ts";
import { appPages } from "../web/server/app-page.ts";
import { chatPages } from "../web/server/pages.ts";
import { boardPages } from "./board/routes.ts";
import { builderDoors, builderFront } from "./builder-pages.routes.ts";
import type { Dependencies } from "./dependencies.ts";
import { documentationPages } from "./docs.routes.ts";
import { operations } from "./operations.ts";

type Options = {
  readonly metrics?: HttpMetrics;
  /**
   * Whether the app serves the builder's own port. That port serves the builder's pages and the operations, but no
   * content from authors or visitors.
   */
  readonly isAppListener?: boolean;
};

/**
 * Creates the HTTP application without listening. Servers use `app.stepRoutes` and `app.fetch`; tests use
 * `app.handle(request)`.
 */
export function createApp(deps: Dependencies, { metrics = createHttpMetrics(), isAppListener = false }: Options = {}) {
  // By default, Elysia looks for the path only after the eleventh character of the URL. If the host has fewer than four
  // characters, the path begins earlier.
  const app = new Elysia({ handler: { standardHostname: false } });
  const mainPages = [
    ...documentationPages(operations, deps.config),
    metricsPage(metrics),
    ...boardPages(),
    filePage,
    workspaceFilePage,
    ...builderDoors(deps.config, appPages),
    ...chatPages,
  ];
  const pages = isAppListener ? [builderFront, ...appPages] : mainPages;
  metrics.watch(() => ({
    uploads: deps.uploadsUnderWay.usage(),
    forms: deps.formsWithFiles.usage(),
    starts: deps.startsUnderWay.usage(),
    database: deps.databasePlaces.usage(),
    readers: deps.answersUnderWay.usage(),
    ...deps.threads.usages(),
  }));
  app.onRequest(({ request }) => requireAddress(request));
  const writeLine = createAccessLines(deps.config, deps.log);
  const onAnswered: OnAnswered = (answered, current) => {
    metrics.count(answered);
    writeLine(answered, current);
  };
  const stepRoutes = mount(app, deps, onAnswered, {
    operations,
    pages,
    isAppListener,
    isDomainOfBots: (host) => isDomainOfBots(deps, host),
  });
  app.onError(({ request, code, error }) => {
    const known = { requestId: requestIdOf(request.headers), method: request.method, route: "unknown" };
    const thrown = code === "NOT_FOUND" ? new AppError("route.not_found") : error;
    const response = failureResponse(thrown, known, deps);
    response.headers.set("X-Request-Id", known.requestId);
    if (deps.isLeaving()) closeAfter(response);
    onAnswered(
      { ...known, operation: `${known.method} unknown`, status: response.status, isStep: false, ms: 0 },
      known,
    );
    return response;
  });
  return Object.assign(app, { stepRoutes });
}
