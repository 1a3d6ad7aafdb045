import { newBotAnswers } from "../interpreter/schemas/defaults.ts";
import { clearTheme } from "../theme/clear.ts";

/** A flow that Parley offers for new bots: its name, its purpose, and the flow in export format. */
export type Template = ReturnType<typeof template>;

type Edge = {
  readonly id: string;
  readonly from: { readonly eventId: string } | { readonly blockId: string; readonly itemId?: string };
  readonly to: { readonly groupId: string };
};

/** A block in a template. It has no id, and `to` is the id of the group that follows. */
export type Part = {
  readonly type: string;
  readonly content?: object;
  readonly options?: Readonly<Record<string, unknown>>;
  readonly items?: readonly { readonly content: unknown; readonly to?: string }[];
  readonly to?: string;
};

type Written = {
  readonly id: string;
  readonly name: string;
  readonly icon: string;
  /** A description of the flow's purpose. */
  readonly about: string;
  readonly variables: Readonly<Record<string, string>>;
  /** The groups by id, starting with the first group of the flow. */
  readonly groups: Readonly<Record<string, ReturnType<typeof group>>>;
};

const columnWidth = 360;

/** Creates a flow from a template. The ids of blocks, items and edges are derived from the order of the parts. */
export function template({ groups, variables, ...words }: Written) {
  const entries = Object.entries(groups);
  const edges: Edge[] = [];
  const lead = (from: Edge["from"], to: string | undefined): { outgoingEdgeId?: string } => {
    if (to === undefined) return {};
    const id = `edge-${edges.length + 1}`;
    edges.push({ id, from, to: { groupId: to } });
    return { outgoingEdgeId: id };
  };
  const first = entries[0]?.[0] ?? "";
  edges.push({ id: "edge-1", from: { eventId: "start" }, to: { groupId: first } });
  return {
    ...words,
    version: "6.1" as const,
    events: [{ id: "start", type: "start" as const, outgoingEdgeId: "edge-1", graphCoordinates: { x: 0, y: 0 } }],
    groups: entries.map(([id, { parts, ...group }]) => ({
      id,
      ...group,
      blocks: parts.map(({ to, items, ...part }, index) => {
        const blockId = `${id}-${index + 1}`;
        return {
          id: blockId,
          ...part,
          ...(items && {
            items: items.map(({ content, to: itemTo }, place) => {
              const itemId = `${blockId}-${place + 1}`;
              return { id: itemId, content, ...lead({ blockId, itemId }, itemTo) };
            }),
          }),
          ...lead({ blockId }, to),
        };
      }),
    })),
    edges,
    variables: Object.entries(variables).map(([id, name]) => ({ id, name })),
    theme: clearTheme,
    settings: { general: { isBrandingEnabled: false }, answers: newBotAnswers },
  };
}

/** Creates a group at the given column and vertical position. */
export function group([column, y]: readonly [number, number], title: string, parts: readonly Part[]) {
  return { title, graphCoordinates: { x: (column + 1) * columnWidth - 140, y }, parts };
}

export function says(...paragraphs: readonly string[]): Part {
  const richText = paragraphs.map((text) => ({ type: "p", children: [{ text }] }));
  return { type: "text", content: { richText } };
}

/** Creates a text bubble with an edge to a group. */
export function saysThen(to: string, ...paragraphs: readonly string[]): Part {
  return { ...says(...paragraphs), to };
}

/** Creates an input whose answer is stored in a variable. */
export function asks(
  type: string,
  variableId: string,
  options: Readonly<Record<string, unknown>> = {},
  to?: string,
): Part {
  return { type, options: { variableId, ...options }, ...(to !== undefined && { to }) };
}

/**
 * Creates buttons from labels and their target groups. If `variableId` is given, the choice is stored in that variable.
 */
export function offers(
  choices: Readonly<Record<string, string | undefined>>,
  { variableId, to }: { variableId?: string; to?: string } = {},
): Part {
  return {
    type: "choice input",
    options: variableId === undefined ? {} : { variableId },
    items: Object.entries(choices).map(([content, target]) => ({
      content,
      ...(target !== undefined && { to: target }),
    })),
    ...(to !== undefined && { to }),
  };
}

export function sets(variableId: string, expressionToEvaluate: string): Part {
  return { type: "Set variable", options: { variableId, expressionToEvaluate } };
}

/**
 * Creates a condition with an edge for each branch. The flow follows the first branch whose comparison is true, or
 * `otherwise` if none is.
 */
export function branches(
  variableId: string,
  ways: readonly { readonly is: string; readonly than: string; readonly to: string }[],
  otherwise: string,
): Part {
  return {
    type: "Condition",
    items: ways.map(({ is, than, to }, index) => ({
      content: {
        logicalOperator: "AND",
        comparisons: [{ id: `comparison-${index + 1}`, variableId, comparisonOperator: is, value: than }],
      },
      to,
    })),
    to: otherwise,
  };
}
