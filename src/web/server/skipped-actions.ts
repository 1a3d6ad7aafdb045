import { textAt } from "../conversation/read.ts";
import type { ClientAction, Message, Step } from "../conversation/step.ts";
import type { Entry } from "../conversation/transcript.ts";
import { fill, type Words } from "../conversation/words.ts";

/** What a page without script says of the things that only a script can do: links to follow, and what was left out. */
export function notesOf(steps: readonly Step[], words: Words): Entry[] {
  const actions = sinceLastAnswer(steps).flatMap((step) => step.actions);
  const links = actions.flatMap((action) => linkOf(action, words));
  const isIncomplete = actions.some(({ type }) => scripts.has(type));
  return isIncomplete ? [...links, { kind: "note", text: words.scriptsSkipped }] : links;
}

/** What is answered for a page without script where the flow waits for its client. */
export function replyWithoutScript({ type }: ClientAction): Message {
  // Set variable leaves its variable; a stream has nothing to say.
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
  return [{ kind: "note", text: fill(words.openLink, { host: url.host || url.pathname }), link: url.href }];
}
