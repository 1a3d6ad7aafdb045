import type { ClientAction, Message } from "../../conversation/step.ts";
import type { Words } from "../../conversation/words.ts";
import { redirect } from "./redirect.ts";
import { wait } from "./wait.ts";

/** What an action may use. */
export type ActionTools = {
  readonly words: Words;
  /** The page's one-time word for scripts; empty where the page has none. */
  readonly nonce: string;
  readonly isAuthorCodeDisabled: boolean;
  /** Puts a sentence or a link under the conversation. */
  note(text: string, link: string): void;
  /** Tells the bot's author what went wrong. */
  log(description: string, error: unknown): void;
};

/** Does what a flow asks of the browser; gives the reply where the flow waits for one (null: a reply without words). */
export type RunAction = (action: ClientAction, tools: ActionTools) => Promise<Message>;

/** One action = one file. What few flows use is loaded when it is met. */
const actions: ReadonlyMap<string, () => RunAction | Promise<RunAction>> = new Map<
  string,
  () => RunAction | Promise<RunAction>
>([
  ["wait", () => wait],
  ["redirect", () => redirect],
  ["scriptToExecute", async () => (await import("./script.ts")).runScript],
  ["codeToExecute", async () => (await import("./script.ts")).runScript],
  ["chatwoot", async () => (await import("./script.ts")).runScript],
  ["setVariable", async () => (await import("./set-variable.ts")).setVariable],
  ["httpRequestToExecute", async () => (await import("./http-request.ts")).httpRequest],
  ["startPropsToInject", async () => (await import("./start-props.ts")).startProps],
  ["googleAnalytics", async () => (await import("./analytics.ts")).googleAnalytics],
  ["pixel", async () => (await import("./analytics.ts")).pixel],
]);

/** Runs an action. One that this release does not know does nothing, and replies without words. */
export async function runAction(action: ClientAction, tools: ActionTools): Promise<Message> {
  const load = actions.get(action.type);
  if (!load) return null;
  const run = await load();
  return run(action, tools);
}
