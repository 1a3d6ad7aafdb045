import type { ReplyOutcome } from "../../interpreter/program/outcome.ts";
import type { Reply } from "../../interpreter/program/state.ts";
import type { View } from "../../interpreter/program/view.ts";
import { cells, type FormCells, type FormLayout } from "../../interpreter/schemas/form-layout.ts";
import { readNumberOrVariable } from "../../interpreter/schemas/schema.ts";

/** The first rows of the editor's form for inputs with a text field. */
export const askedWith: FormLayout = [
  cells("options.variableId"),
  cells(["options.labels.placeholder", 3], ["options.labels.button", 2]),
];

/** The cell of the form in which authors test a reply against the input's rules. */
export const checkedHere: FormCells = { cells: [{ widget: "check" }] };

/**
 * Returns the options that the client receives, with variables replaced and without the options named in `without`. If
 * the answer's variable already contains text, `prefilledValue` is that text. Variables in `resolved` options are
 * already replaced; rendering them again could evaluate text from a visitor.
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

/** A stored option. A fixed option contains no variables and is the same for all visitors. */
type PreparedOption = { readonly name: string; readonly option: unknown; readonly isFixed: boolean };

const prepared = new WeakMap<object, readonly PreparedOption[]>();

/**
 * Returns the options of a block without the given names. The result is cached per block, because the options of a
 * block are always the same object.
 */
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
 * Returns the number in a field made by `option.numberOrVariable`, or undefined if neither the field nor its variable
 * contains a number.
 */
export function numberIn(stored: number | string | undefined, view: View): number | undefined {
  const read = readNumberOrVariable(stored);
  const found = typeof read === "string" ? readNumberOrVariable(view.text(read)) : read;
  return typeof found === "number" ? found : undefined;
}

export function replyText(reply: Reply | null): string | undefined {
  return reply?.type === "text" ? reply.text : undefined;
}

/** Accepts `content` as the answer. If `content` is undefined, the input is shown again. */
export function acceptOrRetry(content: string | undefined, retryMessage?: () => string): ReplyOutcome {
  if (content !== undefined) return { kind: "accepted", content };
  return { kind: "invalid", ...(retryMessage && { message: retryMessage() }) };
}
