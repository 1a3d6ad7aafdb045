import { isJsonObject, textAt, valueAt } from "../interpreter/flow.ts";
import { isSame } from "../test-conversations/compare.ts";
import { listAt } from "../test-conversations/said.ts";

/**
 * The part of a response that a visitor sees. Progress, theme and logs are excluded, and so are the ids, edges and
 * variables inside an input.
 */
export type Seen = {
  readonly messages: readonly SeenPart[];
  readonly input: SeenPart | undefined;
  readonly actions: readonly SeenPart[];
};

/** A message, action or input that a visitor sees. `place` is the same for corresponding parts of two responses. */
type SeenPart = { readonly place: string; readonly blockId: string | null; readonly content: unknown };

export function seenIn(response: unknown): Seen {
  const [input, reply] = [valueAt(response, "input"), valueAt(response, "lastMessageNewFormat")];
  return {
    messages: listAt(response, "messages").map((message) => {
      const blockId = textAt(message, "id") ?? null;
      const { id: _, isAnswer: __, unfinished: ___, ...content } = isJsonObject(message) ? message : {};
      return { place: blockId ?? "", blockId, content };
    }),
    input: isJsonObject(input)
      ? {
          place: `${textAt(input, "id")} ${textAt(input, "type")}`,
          blockId: textAt(input, "id") ?? null,
          content: withoutInside(input, ["id", "outgoingEdgeId", "variableId"]),
        }
      : undefined,
    actions: [
      ...listAt(response, "clientSideActions").map((action) => ({
        place: textAt(action, "type") ?? "",
        blockId: textAt(action, "lastBubbleBlockId") ?? null,
        content: action,
      })),
      ...(reply === undefined ? [] : [{ place: "reply", blockId: null, content: reply }]),
    ],
  };
}

/** Whether two responses wait for the same input and the same reports of the page. */
export function isSameQuestion(a: Seen, b: Seen): boolean {
  const waitsOf = ({ input, actions }: Seen) => [
    input?.place ?? null,
    ...actions.filter(({ content }) => valueAt(content, "expectsDedicatedReply") === true).map(({ place }) => place),
  ];
  return isSame(waitsOf(a), waitsOf(b));
}

/** Whether two responses show the same bubbles, possibly with different texts. */
export function hasSameBubbles(a: Seen, b: Seen): boolean {
  return isSame(
    a.messages.map(({ place }) => place),
    b.messages.map(({ place }) => place),
  );
}

/**
 * Compares the contents of two responses that show the same bubbles. Returns the block of the first difference, or
 * undefined if there is no difference.
 */
export function firstOtherWords(a: Seen, b: Seen): { readonly blockId: string | null } | undefined {
  const [these, those] = [a, b].map(({ messages, input, actions }) => [
    ...messages,
    ...(input ? [input] : []),
    ...actions,
  ]);
  const length = Math.max(these?.length ?? 0, those?.length ?? 0);
  const index = Array.from({ length }).findIndex((_, at) => !isSame(these?.[at]?.content, those?.[at]?.content));
  return index < 0 ? undefined : { blockId: (those?.[index] ?? these?.[index])?.blockId ?? null };
}

function withoutInside(value: unknown, names: readonly string[]): unknown {
  if (Array.isArray(value)) return value.map((item) => withoutInside(item, names));
  if (!isJsonObject(value)) return value;
  const kept = Object.entries(value).filter(([name]) => !names.includes(name));
  return Object.fromEntries(kept.map(([name, inner]) => [name, withoutInside(inner, names)]));
}
