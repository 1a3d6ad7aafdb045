import { outsideFetch } from "./outside.ts";

// A separate process that makes one call and reports its outcome.
const calls = outsideFetch();

process.once("message", async (request: Parameters<typeof calls>[0]) => {
  process.send?.(await calls(request).catch((error: unknown) => ({ error: String(error) })));
  process.disconnect?.();
});
