import type { Answer } from "../api/index.ts";
import type { StartPlace } from "./service.ts";

export type Recorded = Answer<"POST /api/v1/bots/:botId/testConversations/record">["conversation"];

/** A call of a walk, whose answer the author gives: by its block, since one is called alike each time. */
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
 * A recorded preview with what a preview does not keep: where and with which values it began, and what was answered. It
 * has a result, whose variables can be compared.
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

/** The last turn expects these values of variables. */
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
 * Stores a walk as a test that expects these values at its end, and runs it. It is required only from when it has
 * passed: one that was left half-made, or fails, stops no publication.
 */
export async function putProven(
  walk: Recorded,
  values: unknown,
  { isRequired, put, prove }: Proving,
): Promise<Outcome | undefined> {
  let conversation = withEnd(walk, values);
  await put({ conversation, isRequired: false });
  let outcome = await prove();
  // The result has its values in its own form, without those that live as long as the chat alone.
  const end = outcome?.problems.find(({ part }) => part === "variables");
  if (end && outcome?.problems.length === 1) {
    conversation = withEnd(walk, end.actual);
    await put({ conversation, isRequired: false });
    outcome = await prove();
  }
  if (isRequired && outcome?.hasPassed) await put({ conversation, isRequired });
  return outcome;
}

/** A name for the address of a test, from its title: letters without accents and digits, another than those taken. */
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
