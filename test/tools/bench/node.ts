import { serve } from "../../../src/service/main.ts";
import { outsideFetch } from "../../support/outside.ts";

/**
 * The service as in production, except that its calls may reach the loopback address, where the receivers of benchmarks
 * listen.
 */
process.env["TZ"] = "UTC";
process.exit(await serve(process.env, { dependencies: (deps) => ({ ...deps, safeFetch: outsideFetch() }) }));
