import { supervisedVariable } from "../../src/platform/processes/spawn.ts";
import { serve } from "../../src/service/main.ts";
import { outsideFetch } from "../support/outside.ts";
import { type FaultPoint, faultsVariable, openFaults, withFault } from "./faults.ts";

/**
 * Runs the service as a separate process. Unlike in production, its flows may call the loopback address, its claims are
 * short, and it dies at the configured point. If a node has several processes, each process runs this program.
 */
process.env["TZ"] = "UTC";
const isSupervised = process.env[supervisedVariable] === "1";
const isSupervisor = !isSupervised && process.env["PROCESSES"] !== "1";

/** In a node of several processes, the supervisor delivers mails, and the other processes run steps. */
function mayHappenHere(point: FaultPoint): boolean {
  return point === "after a delivery" ? !isSupervised : !isSupervisor;
}

const faulty = withFault(openFaults(process.env[faultsVariable] ?? "").take(mayHappenHere));
process.exit(
  await serve(process.env, {
    dependencies: (deps) =>
      faulty.dependencies({ ...deps, safeFetch: outsideFetch(), claimTimes: { seconds: 3, renewMs: 1_000 } }),
    jobTools: (tools) => ({ ...tools, safeFetch: outsideFetch() }),
    mailer: faulty.mailer,
  }),
);
