import { Type } from "@sinclair/typebox";
import { AppError } from "../../errors.ts";
import type { ManagementDependencies } from "../access/dependencies.ts";
import { needsNoToken, needsToken } from "../operations/authentication.ts";
import type { HttpMetrics } from "../operations/metrics.ts";
import { type Operation, operationFor } from "../operations/operation.ts";
import type { Page } from "../operations/page.ts";
import type { Readiness } from "./health.ts";

const operation = operationFor<ManagementDependencies & { readonly readiness: Readiness }>("Health");

const StatusSchema = Type.Object({
  status: Type.Literal("ok", { description: "Always `ok`; every other state is an error." }),
});

export const healthOperations: readonly Operation[] = [
  operation({
    id: "getHealth",
    route: "GET /api/healthz",
    auth: needsNoToken,
    host: "both",
    answer: StatusSchema,
    handle: () => ({ status: "ok" }) as const,
  }),
  operation({
    id: "getReadiness",
    route: "GET /api/readyz",
    auth: needsNoToken,
    host: "both",
    answer: StatusSchema,
    errors: ["server.stopping"],
    handle: async (deps) => {
      if (deps.isLeaving()) throw new AppError("server.stopping");
      await deps.readiness.requireNode();
      return { status: "ok" } as const;
    },
  }),
];

/**
 * Serves `/metrics` in the text format of Prometheus. The metrics belong to no workspace, so they require an
 * administrator's token, unless METRICS_PUBLIC is set.
 */
export function metricsPage(metrics: HttpMetrics): Page {
  return {
    path: "/metrics",
    host: "management",
    async respond(deps, request, place) {
      if (!deps.config.METRICS_PUBLIC) {
        const admission = place.admission({ isPatient: false });
        await needsToken("admin").authenticate(deps, { headers: request.headers }, admission);
      }
      const { text, contentType } = await metrics.read(deps.siblings);
      return new Response(text, { headers: { "Content-Type": contentType } });
    },
  };
}
