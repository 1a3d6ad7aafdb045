import { isObject, listAt, textAt } from "../../conversation/read.ts";
import type { Answer } from "../api/index.ts";
import type { StartPlace } from "./service.ts";
import { standing, type TracedStep } from "./trace.ts";

export type Recorded = Answer<"POST /api/v1/bots/:botId/testConversations/record">["conversation"];

/**
 * A call to another server, identified by its block, because all calls of a block get the same response. The author
 * enters the response.
 */
export type KeptCall = {
  readonly blockId: string;
  readonly effect: "http" | "model";
  readonly status: number;
  readonly label: string;
};

type Walk = {
  readonly startFrom: StartPlace | undefined;
  readonly variables: Readonly<Record<string, string>>;
  readonly calls: readonly KeptCall[];
  readonly answers: ReadonlyMap<string, string>;
};

/**
 * Returns a recorded preview with the data that previews do not store: the start, the initial values, and the
 * responses. The test has a result, so that its variables can be compared.
 */
export function withCalls(recorded: Recorded, { startFrom, variables, calls, answers }: Walk): Recorded {
  const { isPreview: _, ...conversation } = recorded;
  const hasValues = Object.keys(variables).length > 0;
  const mocks = calls.map(({ blockId, effect, status }) => {
    const text = answers.get(blockId) ?? "";
    return effect === "http"
      ? { blockId, report: { kind: "http" as const, statusCode: status, text } }
      : { blockId, report: { kind: "model" as const, answer: { text } } };
  });
  return {
    ...conversation,
    ...((startFrom !== undefined || hasValues) && {
      start: {
        ...conversation.start,
        ...(startFrom && { startFrom }),
        ...(hasValues && { prefilledVariables: variables }),
      },
    }),
    ...(mocks.length > 0 && { mocks }),
  };
}

type Taken = ReadonlyMap<string, unknown>;

/**
 * Returns the values that each block took from the response to its call, by variable. A trace contains these values but
 * not the response.
 */
export function takenIn(steps: readonly TracedStep[]): ReadonlyMap<string, Taken> {
  const found = new Map<string, Map<string, unknown>>();
  let taking: Map<string, unknown> | undefined;
  for (const entry of standing(steps).flatMap(({ entries }) => entries)) {
    if (entry.kind === "block" || entry.kind === "reply") taking = undefined;
    if (entry.kind === "effect") {
      taking = new Map();
      found.set(entry.blockId, taking);
    }
    if (entry.kind === "variable" && entry.isCut !== true) taking?.set(entry.variableId, entry.value);
  }
  return found;
}

/**
 * Returns a response from which the block would take the given values. Undefined if the values do not determine a
 * response.
 */
export function answerFrom(block: unknown, effect: KeptCall["effect"], taken: Taken = new Map()): string | undefined {
  const options = isObject(block) ? block["options"] : undefined;
  if (effect === "model") {
    const item = listAt(options, "responseMapping").find((one) => (textAt(one, "item") ?? content) === content);
    const text = taken.get(textAt(item, "variableId") ?? "");
    return typeof text === "string" ? text : undefined;
  }
  const mapped = listAt(options, "responseVariableMapping");
  let data: unknown;
  for (const one of mapped) {
    const keys = keysOf(textAt(one, "bodyPath") ?? "");
    const value = taken.get(textAt(one, "variableId") ?? "");
    if (!keys || value === undefined || value === null) return undefined;
    data = withValue(data, keys, value);
  }
  if (data === undefined) return undefined;
  return typeof data === "string" ? data : JSON.stringify(data);
}

const content = "Message content";

/**
 * Returns the keys of a path that consists of plain names below the response, such as `data.city`. Undefined for any
 * other path.
 */
function keysOf(path: string): readonly string[] | undefined {
  return /^data(\.[\p{L}_$][\p{L}\p{N}_$]*)*$/u.test(path) ? path.split(".").slice(1) : undefined;
}

function withValue(data: unknown, [key, ...rest]: readonly string[], value: unknown): unknown {
  if (key === undefined) return value;
  const around = isObject(data) ? data : {};
  return { ...around, [key]: withValue(around[key], rest, value) };
}

/** Adds the expected final values of variables to the last turn. */
export function withEnd(conversation: Recorded, variables: unknown): Recorded {
  const { turns } = conversation;
  const values = typeof variables === "object" && variables !== null ? { ...variables } : {};
  const last = turns.length - 1;
  return {
    ...conversation,
    turns: turns.map((turn, index) =>
      index === last ? { ...turn, expect: { ...turn.expect, variables: values } } : turn,
    ),
  };
}

export type Outcome = Answer<"POST /api/v1/bots/:botId/testConversations/run">["outcomes"][number];

type Proving = {
  readonly isRequired: boolean;
  readonly put: (test: { readonly conversation: Recorded; readonly isRequired: boolean }) => Promise<unknown>;
  readonly prove: () => Promise<Outcome | undefined>;
};

/**
 * Stores a chat as a test that expects the given final values, and runs the test. If only these values differ, the test
 * is stored again with the actual values. The test is required for publications only after it has passed, so that it
 * never blocks a publication by itself.
 */
export async function putProven(
  walk: Recorded,
  values: unknown,
  { isRequired, put, prove }: Proving,
): Promise<Outcome | undefined> {
  let conversation = withEnd(walk, values);
  await put({ conversation, isRequired: false });
  let outcome = await prove();
  // A result stores values in its own format and omits variables that exist only during the chat.
  const end = outcome?.problems.find(({ part }) => part === "variables");
  if (end && outcome?.problems.length === 1) {
    conversation = withEnd(walk, end.actual);
    await put({ conversation, isRequired: false });
    outcome = await prove();
  }
  if (isRequired && outcome?.hasPassed) await put({ conversation, isRequired });
  return outcome;
}

/**
 * Returns a unique name for a test from its title, with unaccented letters and digits. The name is part of the test's
 * URL.
 */
export function nameFor(title: string, taken: ReadonlySet<string>): string {
  const plain = title
    .normalize("NFKD")
    .replaceAll(/\p{M}/gu, "")
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, "-")
    .replaceAll(/^-+|-+$/g, "")
    .slice(0, 80)
    .replace(/-+$/, "");
  const base = plain === "" ? "test" : plain;
  for (let count = 1; ; count++) {
    const name = count === 1 ? base : `${base}-${count}`;
    if (!taken.has(name)) return name;
  }
}
