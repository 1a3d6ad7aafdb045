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
    isEnabled: titled("Only where a condition holds", option.flag("Whether the condition is used.")),
    condition: whenEnabled(Type.Optional(conditionSchema)),
  },
  { title: "Display condition", description: "Shows the item only where a condition holds.", isAdvanced: true },
);

/** Fields of an item that can be chosen. */
export const choiceItemFields = {
  displayCondition: Type.Optional(displayConditionSchema),
  outgoingEdgeId: option.leadsTo("Id of the edge that this choice takes. It is not used for several choices at once."),
};

/** Fields of an input in which items are chosen. */
export const choiceFields = {
  isMultipleChoice: titled("Several may be chosen", option.flag("Whether several may be chosen.")),
  buttonLabel: shownWhen(
    { isMultipleChoice: [true] },
    option.text("Label of the button that sends several choices.", "Send"),
  ),
  isSearchable: titled("Search field", option.flag("Whether the client offers a search field.")),
  searchInputPlaceholder: marked(
    { title: "Words of the search field", shownWhen: { isSearchable: [true] } },
    option.text("Shown in the empty search field.", "Filter the options..."),
  ),
};

/** An item with the variables of these texts replaced. */
export function templated<Item extends object>(item: Item, keys: readonly (keyof Item)[], view: View): Item {
  const texts = keys.flatMap((key) => {
    const text = item[key];
    return typeof text === "string" ? [[key, view.text(text)] as const] : [];
  });
  return Object.assign({ ...item }, Object.fromEntries(texts));
}

/** The part of an item that the visitor's client gets. */
export function shownItem<Shown>({
  displayCondition: _,
  outgoingEdgeId: __,
  ...shown
}: Shown & { readonly displayCondition?: unknown; readonly outgoingEdgeId?: unknown }) {
  return shown;
}

/** Whether an item is shown: always, unless it has an enabled condition that does not hold. */
export function isDisplayed(displayCondition: Static<typeof displayConditionSchema> | undefined, view: View): boolean {
  const { isEnabled, condition } = displayCondition ?? {};
  return !isEnabled || !condition || evaluateCondition(condition, view).holds;
}

/** A variable's value as a list. A text with a JSON list gives that list; any other text is the only element. */
export function elementsOf(value: NonNullable<Value>): readonly (string | null)[] {
  if (Array.isArray(value)) return value;
  const parsed = value.trimStart().startsWith("[") ? parseUntrustedJson(value)?.value : undefined;
  return Array.isArray(parsed) ? parsed.map(elementText) : [value];
}

export type Choice = Choosable & { readonly outgoingEdgeId?: string | undefined };

/**
 * The outcome of a reply to a choice. A single chosen item leads through its own edge, else through the edge that
 * `edgeOf` finds for the answer. Several items lead through the block's edge.
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
 * The words of the items that a reply names by their ids, as our clients do where items share their words; undefined
 * for any other reply.
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

/** The edge of the first stored item whose content equals the answer, whether it is shown or not. */
export function edgeOfEqualItem(choices: readonly Choice[], answer: string, view: View): string | undefined {
  if (!choices.some(({ outgoingEdgeId }) => outgoingEdgeId !== undefined)) return undefined;
  const wanted = answer.normalize();
  return choices.find(({ content }) => view.text(content).normalize() === wanted)?.outgoingEdgeId;
}

/**
 * Counts the answers that are in the flow; values from a variable are counted as other. Each of several chosen items
 * counts.
 */
export function countedChoices(
  choices: readonly Pick<Choosable, "content" | "value">[],
  { isMultiple }: { isMultiple: boolean },
): CountedValues {
  const answers = choices.map(({ value, content }) => (isMultiple ? (value ?? content?.trim()) : value || content));
  const known = new Set(answers.flatMap((answer) => (answer ? [answer] : [])));
  if (!isMultiple) return (answer) => [known.has(answer) ? answer : ""];
  // The words of an item may contain the comma that joins the items.
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
