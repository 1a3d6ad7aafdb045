import { type Static, Type } from "@sinclair/typebox";
import { conditionSchema, evaluateCondition } from "../../../interpreter/evaluation/condition.ts";
import type { CountedValues } from "../../../interpreter/input-traits.ts";
import { parseUntrustedJson } from "../../../interpreter/language/untrusted-json.ts";
import type { Value } from "../../../interpreter/language/values.ts";
import type { ReplyOutcome } from "../../../interpreter/program/outcome.ts";
import type { Reply } from "../../../interpreter/program/state.ts";
import type { View } from "../../../interpreter/program/view.ts";
import { marked, option, shownWhen, titled, whenEnabled } from "../../options.ts";
import { type ChoiceReply, type Choosable, matchMany, matchOne } from "./choice-matching.ts";

export const displayConditionSchema = Type.Object(
  {
    isEnabled: titled("Only if a condition is true", option.flag("Whether the condition is used.")),
    condition: whenEnabled(Type.Optional(conditionSchema)),
  },
  { title: "Display condition", description: "Shows the item only if a condition is true.", isAdvanced: true },
);

/** The schema fields of an item in an input with choices. */
export const choiceItemFields = {
  displayCondition: Type.Optional(displayConditionSchema),
  outgoingEdgeId: option.leadsTo(
    "Id of the edge to follow for this choice. It is not used if visitors can choose several items.",
  ),
};

/** The schema fields of an input with choices. */
export const choiceFields = {
  isMultipleChoice: titled("Allow several choices", option.flag("Whether visitors can choose several items.")),
  buttonLabel: shownWhen(
    { isMultipleChoice: [true] },
    option.text("Label of the button that submits several choices.", "Send"),
  ),
  isSearchable: titled("Search field", option.flag("Whether the client offers a search field.")),
  searchInputPlaceholder: marked(
    { title: "Placeholder of the search field", shownWhen: { isSearchable: [true] } },
    option.text("Shown in the empty search field.", "Filter the options..."),
  ),
};

/** Returns a copy of the item in which the variables of the given fields are replaced. */
export function templated<Item extends object>(item: Item, keys: readonly (keyof Item)[], view: View): Item {
  const texts = keys.flatMap((key) => {
    const text = item[key];
    return typeof text === "string" ? [[key, view.text(text)] as const] : [];
  });
  return Object.assign({ ...item }, Object.fromEntries(texts));
}

/** Returns the part of an item that is sent to the visitor's client. */
export function shownItem<Shown>({
  displayCondition: _,
  outgoingEdgeId: __,
  ...shown
}: Shown & { readonly displayCondition?: unknown; readonly outgoingEdgeId?: unknown }) {
  return shown;
}

/** Returns whether the item is displayed. An item is hidden only if its display condition is enabled and false. */
export function isDisplayed(displayCondition: Static<typeof displayConditionSchema> | undefined, view: View): boolean {
  const { isEnabled, condition } = displayCondition ?? {};
  return !isEnabled || !condition || evaluateCondition(condition, view).holds;
}

/**
 * Returns the value of a variable as a list. Text that contains a JSON list is parsed; any other text becomes the only
 * element.
 */
export function elementsOf(value: NonNullable<Value>): readonly (string | null)[] {
  if (Array.isArray(value)) return value;
  const parsed = value.trimStart().startsWith("[") ? parseUntrustedJson(value)?.value : undefined;
  return Array.isArray(parsed) ? parsed.map(elementText) : [value];
}

export type Choice = Choosable & { readonly outgoingEdgeId?: string | undefined };

/**
 * Computes the outcome of a reply to a choice. If only one item can be chosen, the outcome has the edge of that item,
 * or otherwise the edge that `edgeOf` returns for the answer.
 */
export function replyToChoice(
  {
    items,
    isMultiple,
    edgeOf,
  }: { items: readonly Choice[]; isMultiple: boolean; edgeOf(answer: string): string | undefined },
  reply: Reply | null,
): ReplyOutcome {
  if (reply?.type !== "text") return { kind: "invalid" };
  if (isMultiple) {
    const chosen = matchMany(items, reply.text);
    if (chosen.length === 0) return { kind: "invalid" };
    return { kind: "accepted", content: chosen.map(({ value, content }) => value ?? content?.trim() ?? "").join(", ") };
  }
  const chosen = matchOne(items, reply);
  const content = chosen?.value || chosen?.content;
  if (!content) return { kind: "invalid" };
  const edgeId = chosen?.outgoingEdgeId ?? edgeOf(content);
  return { kind: "accepted", content, ...(edgeId !== undefined && { edgeId }) };
}

/**
 * Returns the values (or, without a value, the contents) of the items whose ids are in the reply. Our clients send ids
 * if several items have the same content. Returns undefined for any other reply.
 */
export function wordsOfIds(
  items: readonly Choosable[],
  isMultiple: boolean,
  { text, replyId }: ChoiceReply,
): string | undefined {
  if (!isMultiple && replyId !== text) return undefined;
  const named = (isMultiple ? text.split(", ") : [text]).map((id) => {
    const item = items.find((one) => one.id === id);
    return item?.value || item?.content;
  });
  return named.every((words) => words !== undefined) ? named.join(", ") : undefined;
}

/**
 * Returns the edge of the first stored item whose content equals the answer, even if the item is hidden. Returns
 * undefined if there is no such item, or if the item has no edge.
 */
export function edgeOfEqualItem(choices: readonly Choice[], answer: string, view: View): string | undefined {
  if (!choices.some(({ outgoingEdgeId }) => outgoingEdgeId !== undefined)) return undefined;
  const wanted = answer.normalize();
  return choices.find(({ content }) => view.text(content).normalize() === wanted)?.outgoingEdgeId;
}

/**
 * Returns a function that lists the items of the flow that an answer names. Any other text, such as a value from a
 * variable, is listed as an empty text.
 */
export function countedChoices(
  choices: readonly Pick<Choosable, "content" | "value">[],
  { isMultiple }: { isMultiple: boolean },
): CountedValues {
  const answers = choices.map(({ value, content }) => (isMultiple ? (value ?? content?.trim()) : value || content));
  const known = new Set(answers.flatMap((answer) => (answer ? [answer] : [])));
  if (!isMultiple) return (answer) => [known.has(answer) ? answer : ""];
  // An item's content may contain the comma that separates items in an answer.
  const longest = [...known].toSorted((a, b) => b.length - a.length);
  return (answer) => {
    const values = new Set<string>();
    for (let rest = answer; rest !== ""; ) {
      const said = longest.find((one) => rest === one || rest.startsWith(`${one}, `));
      const comma = rest.indexOf(", ");
      const length = said?.length ?? (comma < 0 ? rest.length : comma);
      values.add(said ?? "");
      rest = rest.slice(length + 2);
    }
    return [...values];
  };
}

function elementText(element: unknown): string | null {
  if (typeof element === "string" || element === null) return element;
  return JSON.stringify(element);
}
