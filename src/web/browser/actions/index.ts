import type { ClientAction, Message } from "../../conversation/step.ts";
import type { ActionTools, RunAction } from "./action.ts";
import { wait } from "./wait.ts";

/** One action = one file. Actions that few flows use are loaded on demand. */
const actions: ReadonlyMap<string, () => RunAction | Promise<RunAction>> = new Map<
  string,
  () => RunAction | Promise<RunAction>
>([
  ["wait", () => wait],
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

/** Runs an action. One that this release does not know does nothing, with an empty reply. */
export async function runAction(action: ClientAction, tools: ActionTools): Promise<Message> {
  const load = actions.get(action.type);
  if (!load) return null;
  const run = await load();
  return run(action, tools);
}
