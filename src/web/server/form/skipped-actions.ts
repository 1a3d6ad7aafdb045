import { say } from "../../conversation/rare-words.ts";
import { textAt } from "../../conversation/read.ts";
import type { ClientAction, Message, Step } from "../../conversation/step.ts";
import type { Entry } from "../../conversation/transcript.ts";
import type { Words } from "../../conversation/words.ts";

/**
 * Returns the notes of a page without a script about actions that require a script: links to follow, and a note that
 * scripts were skipped.
 */
export function notesOf(steps: readonly Step[], words: Words): Entry[] {
  const actions = sinceLastAnswer(steps).flatMap((step) => step.actions);
  const links = actions.flatMap((action) => linkOf(action, words));
  const isIncomplete = actions.some(({ type }) => scripts.has(type));
  return isIncomplete ? [...links, { kind: "note", text: words.scriptsSkipped }] : links;
}

/** Returns the reply to an action that requires a script, for a page without a script. */
export function replyWithoutScript({ type }: ClientAction): Message {
  // An empty reply leaves a variable unchanged, or ends a stream without text.
  if (type !== "httpRequestToExecute") return null;
  const data = "An error occured while executing the webhook on the client";
  return { type: "text", text: JSON.stringify({ statusCode: 500, data }) };
}

const scripts = new Set(["scriptToExecute", "codeToExecute", "chatwoot"]);

function sinceLastAnswer(steps: readonly Step[]): readonly Step[] {
  const last = steps.findLastIndex((step, index) => step.reply !== null && steps[index - 1]?.input !== undefined);
  return steps.slice(Math.max(0, last));
}

function linkOf(action: ClientAction, words: Words): Entry[] {
  const address = action.type === "redirect" ? textAt(action, "redirect", "url") : undefined;
  const url = address === undefined ? null : URL.parse(address);
  if (!url) return [];
  return [{ kind: "note", text: say(words, "openLink", { host: url.host || url.pathname }), link: url.href }];
}
