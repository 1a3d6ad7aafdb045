import { connect } from "../../../../src/platform/database/sql.ts";
import { createLog } from "../../../../src/platform/observing/log.ts";
import { createDependencies } from "../../../../src/service/dependencies.ts";
import { outsideFetch } from "../../../support/outside.ts";
import { createThreads } from "../../../support/threads.ts";
import { arrows, mortal, partsOf } from "./node.ts";
import { actsPath, settingsVariable } from "./process-settings.ts";

/**
 * Runs the service as a separate process, without its jobs. Flows may call the loopback address. The process kills
 * itself at the point that the test sets.
 */
process.env["TZ"] = "UTC";

const { databaseUrl, config } = JSON.parse(process.env[settingsVariable] ?? "{}");
let diesAt: string | undefined;
const deps = createDependencies({
  config,
  log: createLog(config.LOG_LEVEL),
  sql: connect(databaseUrl, { connections: 4 }),
  threads: createThreads({ count: 1 }),
  safeFetch: outsideFetch(),
});
const parts = partsOf(
  mortal(deps, (arrow) => {
    if (arrow === diesAt) process.kill(process.pid, "SIGKILL");
    return undefined;
  }),
);
const acts: Readonly<Record<string, (on: string) => unknown>> = {
  wake: parts.due.wake,
  readBot: parts.readBot,
  checkPayments: parts.checkPayments,
  dieAt(place) {
    diesAt = arrows.find((arrow) => arrow === place);
  },
};

const server = Bun.serve({
  port: 0,
  hostname: "127.0.0.1",
  // In seconds. Some calls are slow.
  idleTimeout: 120,
  async fetch(request) {
    const { pathname, searchParams } = new URL(request.url);
    if (!pathname.startsWith(actsPath)) return await parts.handle(request);
    await acts[pathname.slice(actsPath.length)]?.(searchParams.get("on") ?? "");
    return new Response();
  },
});
process.stdout.write(`API: http://127.0.0.1:${server.port}/api/v1\n`);
