import type { RunAction } from "./action.ts";

/** Actions that few flows use. Their files are loaded on demand. */
export const rare: ReadonlyMap<string, () => Promise<RunAction>> = new Map<string, () => Promise<RunAction>>([
  ["redirect", async () => (await import("./redirect.tsx")).redirect],
  ["scriptToExecute", async () => (await import("./script.ts")).runScript],
  ["codeToExecute", async () => (await import("./script.ts")).runScript],
  ["chatwoot", async () => (await import("./script.ts")).runScript],
  ["setVariable", async () => (await import("./script.ts")).setVariable],
  ["httpRequestToExecute", async () => (await import("./http-request.ts")).httpRequest],
  ["startPropsToInject", async () => (await import("./start-props.ts")).startProps],
  ["googleAnalytics", async () => (await import("./analytics.ts")).googleAnalytics],
  ["pixel", async () => (await import("./analytics.ts")).pixel],
]);
