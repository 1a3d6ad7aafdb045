import type { ReplyOutcome } from "../../interpreter/outcome.ts";
import type { Reply } from "../../interpreter/state.ts";
import type { View } from "../../interpreter/view.ts";

/**
 * An input's options as the client gets them: variables replaced, and what its variable holds as `prefilledValue` when
 * that is one non-empty text. `resolved` are options that were read already: nothing is replaced in them, since they hold
 * what variables held.
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

/** The text of a reply, or undefined where nothing was said or it was no text. */
export function textOf(reply: Reply | null): string | undefined {
  return reply?.type === "text" ? reply.text : undefined;
}

/** The outcome of a check that gives the normalised content, or undefined where the reply is refused. */
export function acceptedOr(content: string | undefined, retryMessage?: () => string): ReplyOutcome {
  if (content !== undefined) return { kind: "accepted", content };
  return { kind: "invalid", ...(retryMessage && { message: retryMessage() }) };
}
