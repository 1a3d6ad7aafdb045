import { flagAt, isObject, type Json, listAt } from "../../conversation/read.ts";
import { readSession } from "../../conversation/step.ts";
import type { SessionView } from "./post-form.ts";

/**
 * A session as its page shows it while the next step is being taken: what was asked is not asked again. A script that
 * takes the page over looks for that step as for one that a call from outside brings.
 */
export function whileUnderWay(view: SessionView): SessionView {
  if (!view.isUnderWay || !isObject(view.history)) return view;
  const { input: _, ...history } = view.history;
  const steps = listAt(history, "steps");
  const last = steps.at(-1);
  const shown = { ...history, steps: [...steps.slice(0, -1), ...(isObject(last) ? [awaiting(last)] : [])] };
  return { ...view, history: shown, snapshot: readSession(shown) };
}

function awaiting({ input: _, ...step }: Json): Json {
  const actions = listAt(step, "clientSideActions").filter((action) => !flagAt(action, "expectsDedicatedReply"));
  return { ...step, clientSideActions: [...actions, { type: "listenForWebhook", expectsDedicatedReply: true }] };
}
