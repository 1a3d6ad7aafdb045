import type { ClientAction, Message } from "../../conversation/step.ts";
import type { ActionTools } from "./action.ts";
import { wait } from "./wait.ts";

/** Runs an action. One that this release does not know does nothing, with an empty reply. */
export async function runAction(action: ClientAction, tools: ActionTools): Promise<Message> {
  if (action.type === "wait") return wait(action, tools);
  const { rare } = await import("./rare.ts");
  const run = await rare.get(action.type)?.();
  return run ? run(action, tools) : null;
}
