import type { ReplyOutcome } from "../../interpreter/program/outcome.ts";
import type { Reply } from "../../interpreter/program/state.ts";
import type { View } from "../../interpreter/program/view.ts";
import { cells, type FormCells, type FormLayout } from "../../interpreter/schemas/form-layout.ts";
import { readNumberOrVariable } from "../../interpreter/schemas/schema.ts";

/** The first rows of the form of an input with a field. */
export const askedWith: FormLayout = [
  cells("options.variableId"),
  cells(["options.labels.placeholder", 3], ["options.labels.button", 2]),
];

/** Where a reply is tried against the rules of the input. */
export const checkedHere: FormCells = { cells: [{ widget: "check" }] };

/**
 * An input's options as the client gets them, with variables replaced, `without` the options of these names. If the
 * answer's variable already holds a text, it is the `prefilledValue`. The variables of `resolved` options were replaced
 * already: rendering them again could evaluate a visitor's words.
 */
export function shownOptions(
  options: { readonly variableId?: string } | undefined,
  view: View,
  resolved?: Readonly<Record<string, unknown>>,
  without: readonly string[] = none,
): Record<string, unknown> {
  if (!options) return {};
  const shown: Record<string, unknown> = {};
  for (const { name, option, isFixed } of preparedOptions(options, view, without))
    shown[name] = isFixed ? option : view.deep(option);
  if (resolved) Object.assign(shown, resolved);
  const prefilledValue = options.variableId === undefined ? null : view.variables.get(options.variableId);
  return typeof prefilledValue === "string" && prefilledValue !== ""
    ? { options: shown, prefilledValue }
    : { options: shown };
}

const none: readonly string[] = [];

/** An option as it is stored; a fixed option, which has no variables, as all visitors get it. */
type PreparedOption = { readonly name: string; readonly option: unknown; readonly isFixed: boolean };

const prepared = new WeakMap<object, readonly PreparedOption[]>();

/** Computed once for each block, whose options are always the same object. */
function preparedOptions(options: object, view: View, without: readonly string[]): readonly PreparedOption[] {
  const known = prepared.get(options);
  if (known) return known;
  const found = Object.entries(options).flatMap(([name, option]): PreparedOption[] => {
    if (without.includes(name)) return [];
    const isFixed = !JSON.stringify(option)?.includes("{{");
    return [{ name, option: isFixed ? view.deep(option) : option, isFixed }];
  });
  prepared.set(options, found);
  return found;
}

/**
 * The number in a field made by `numberOrVariableOption`; undefined if neither the field nor its variable holds a
 * number.
 */
export function numberIn(stored: number | string | undefined, view: View): number | undefined {
  const read = readNumberOrVariable(stored);
  const found = typeof read === "string" ? readNumberOrVariable(view.text(read)) : read;
  return typeof found === "number" ? found : undefined;
}

/** The text of a reply; undefined if there is none. */
export function replyText(reply: Reply | null): string | undefined {
  return reply?.type === "text" ? reply.text : undefined;
}

/** Accepts the answer, or asks again where it is undefined. */
export function acceptOrRetry(content: string | undefined, retryMessage?: () => string): ReplyOutcome {
  if (content !== undefined) return { kind: "accepted", content };
  return { kind: "invalid", ...(retryMessage && { message: retryMessage() }) };
}
