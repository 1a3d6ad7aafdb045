import { serve } from "../../src/main.ts";
import { outsideFetch } from "../support/outside.ts";
import { faultVariable, readFault, withFault } from "./faults.ts";

/**
 * The service as a process of its own, as in production but for this: its flows may call the loopback address, its claims
 * are short, and it dies where it is told to.
 */
process.env["TZ"] = "UTC";
const faulty = withFault(readFault(process.env[faultVariable]));
process.exit(
  await serve(process.env, {
    dependencies: (deps) =>
      faulty.dependencies({ ...deps, safeFetch: outsideFetch(), claimTimes: { seconds: 3, renewMs: 1_000 } }),
    mailer: faulty.mailer,
  }),
);
