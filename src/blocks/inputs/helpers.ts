import type { ReplyOutcome } from "../../interpreter/outcome.ts";
import type { Reply } from "../../interpreter/state.ts";
import type { View } from "../../interpreter/view.ts";

/**
 * An input's options as the client gets them, with variables replaced. Where the answer's variable holds a text already, that
 * is the `prefilledValue`. `resolved` are options whose variables are replaced already: they must not be replaced twice,
 * since a visitor may have written what they hold.
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
export function replyText(reply: Reply | null): string | undefined {
  return reply?.type === "text" ? reply.text : undefined;
}

/** Accepts the answer that a check made of the reply, or asks again where it found none. */
export function acceptOrRetry(content: string | undefined, retryMessage?: () => string): ReplyOutcome {
  if (content !== undefined) return { kind: "accepted", content };
  return { kind: "invalid", ...(retryMessage && { message: retryMessage() }) };
}
