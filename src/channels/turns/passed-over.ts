import { textAt, valueAt } from "../../core/interpreter/flow.ts";

/**
 * Whether a chat waits for an action that requires a browser, which no messenger provides. Returns false if the chat
 * waits for an external call.
 */
export function isPassedOver(step: unknown): boolean {
  if (valueAt(step, "input") !== undefined) return false;
  const actions = listAt(step, "clientSideActions");
  if (actions.some((action) => textAt(action, "type") === "listenForWebhook")) return false;
  const last = valueAt(listAt(step, "messages").at(-1), "content");
  const isEmbedWaiting =
    valueAt(last, "waitForEvent", "isEnabled") === true || valueAt(last, "waitForEventFunction") !== undefined;
  return isEmbedWaiting || actions.some((action) => valueAt(action, "expectsDedicatedReply") === true);
}

export function listAt(step: unknown, key: string): readonly unknown[] {
  const found = valueAt(step, key);
  return Array.isArray(found) ? found : [];
}
