import type { ReplyOutcome } from "../../interpreter/program/outcome.ts";
import type { Reply } from "../../interpreter/program/state.ts";
import type { View } from "../../interpreter/program/view.ts";
import { readNumberOrVariable } from "../../interpreter/schemas/schema.ts";

/**
 * An input's options as the client gets them, with variables replaced. If the answer's variable already holds a text, it is the
 * `prefilledValue`. In `resolved` options variables were replaced already: they are not rendered again, since their values may be a
 * visitor's words.
 */
export function shownOptions(
  options: { readonly variableId?: string } | undefined,
  view: View,
  resolved: Readonly<Record<string, unknown>> = {},
): Record<string, unknown> {
  if (!options) return {};
  const shown = Object.entries(options).map(([name, option]) => [name, view.deep(option)]);
  const prefilledValue = options.variableId === undefined ? null : view.variables.get(options.variableId);
  return {
    options: { ...Object.fromEntries(shown), ...resolved },
    ...(typeof prefilledValue === "string" && prefilledValue !== "" && { prefilledValue }),
  };
}

/** The number in a field made by `numberOrVariableOption`; undefined where it or its variable holds none. */
export function numberIn(stored: number | string | undefined, view: View): number | undefined {
  const read = readNumberOrVariable(stored);
  const found = typeof read === "string" ? readNumberOrVariable(view.text(read)) : read;
  return typeof found === "number" ? found : undefined;
}

/** The text of a reply; undefined where there is none. */
export function replyText(reply: Reply | null): string | undefined {
  return reply?.type === "text" ? reply.text : undefined;
}

/** Accepts the answer, or asks again where it is undefined. */
export function acceptOrRetry(content: string | undefined, retryMessage?: () => string): ReplyOutcome {
  if (content !== undefined) return { kind: "accepted", content };
  return { kind: "invalid", ...(retryMessage && { message: retryMessage() }) };
}
