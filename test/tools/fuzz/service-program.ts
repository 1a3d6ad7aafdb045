import { heapStats } from "bun:jsc";
import { createSafeFetch } from "../../../src/effects/safe-fetch/safe-fetch.ts";
import { serve } from "../../../src/service/main.ts";

// The service with a resolver that returns this machine for every name. Flows must not call this machine. On a signal,
// the service prints its memory usage.
process.on("SIGUSR2", () => {
  Bun.gc(true);
  process.stdout.write(`held ${JSON.stringify({ heap: heapStats().heapSize, resident: process.memoryUsage.rss() })}\n`);
});
/** No DNS server is queried. */
const resolveTxt = async () => [];
const safeFetch = createSafeFetch({ resolve: async () => [{ address: "127.0.0.1", family: 4 }] });
process.exit(await serve(process.env, { dependencies: (made) => ({ ...made, safeFetch, resolveTxt }) }));
