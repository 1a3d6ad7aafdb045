import { isObject, listAt, textAt } from "../../../conversation/read.ts";
import { type Answer, call, refresh } from "../../api/index.ts";

export type ListedTest = Answer<"GET /api/v1/bots/:botId/testConversations">["testConversations"][number];
export type WholeTest = Answer<"GET /api/v1/bots/:botId/testConversations/:name">["testConversation"];
export type Turn = WholeTest["conversation"]["turns"][number];
export type Proof = Answer<"POST /api/v1/bots/:botId/testConversations/run">;
export type Outcome = Proof["outcomes"][number];
export type Problem = Outcome["problems"][number];
export type Coverage = Proof["coverage"];
type ReadBot = Answer<"GET /api/v1/bots/:botId">["bot"];

/** Returns the cache key for all data about a bot's tests. */
export const keyOf = (botId: string): string => `tests/${botId}`;

export type TestList = {
  readonly tests: readonly ListedTest[];
  readonly bot: ReadBot;
  readonly mayWrite: boolean;
};

export async function readTests(botId: string): Promise<TestList> {
  const path = { botId };
  const [{ testConversations }, { bot, currentUserMode }] = await Promise.all([
    call("GET /api/v1/bots/:botId/testConversations", { path }),
    call("GET /api/v1/bots/:botId", { path, query: { migrateToLatestVersion: true } }),
  ]);
  return { tests: testConversations, bot, mayWrite: currentUserMode === "write" && !bot.isArchived };
}

export async function readTest(botId: string, name: string): Promise<WholeTest> {
  const path = { botId, name };
  return (await call("GET /api/v1/bots/:botId/testConversations/:name", { path })).testConversation;
}

/** Runs the named tests, or all tests, with the draft. */
export async function runTests(botId: string, names: readonly string[] | undefined): Promise<Proof> {
  const body = names ? { names: [...names] } : {};
  return call("POST /api/v1/bots/:botId/testConversations/run", { path: { botId }, body });
}

/** Sets whether a publication requires the test to pass. The stored conversation does not change. */
export async function setRequired(botId: string, name: string, isRequired: boolean): Promise<void> {
  const { conversation } = await readTest(botId, name);
  await call("PUT /api/v1/bots/:botId/testConversations/:name", {
    path: { botId, name },
    body: { conversation, isRequired },
  });
  await refresh(keyOf(botId));
}

export async function deleteTest(botId: string, name: string): Promise<void> {
  await call("DELETE /api/v1/bots/:botId/testConversations/:name", { path: { botId, name } });
  await refresh(keyOf(botId));
}

/** The parts of a flow that no test visits. */
export type Missed = {
  readonly groups: readonly {
    readonly id: string;
    readonly title: string;
    readonly met: number;
    readonly of: number;
  }[];
  readonly edges: readonly {
    readonly id: string;
    /** The group, and the text of the choice that leads to the edge, if any. */
    readonly from: string;
    readonly choice: string | undefined;
    readonly to: string;
    /** The block at which the edge begins; undefined for an event. */
    readonly blockId: string | undefined;
  }[];
};

/** Returns the parts of a flow that no test visits. `nameless` is the name of events and of groups without a title. */
export function missedIn(bot: Pick<ReadBot, "groups" | "edges">, coverage: Coverage, nameless: string): Missed {
  const missedBlocks = new Set(coverage.blocks.missed);
  const missedEdges = new Set(coverage.edges.missed);
  const groupOf = new Map<string, string>();
  const titles = new Map<string, string>();
  const choices = new Map<string, string>();
  const groups = listAt(bot, "groups").flatMap((group) => {
    const id = textAt(group, "id") ?? "";
    const title = textAt(group, "title") || nameless;
    const blocks = listAt(group, "blocks").map((block) => textAt(block, "id") ?? "");
    titles.set(id, title);
    for (const block of blocks) groupOf.set(block, id);
    for (const item of listAt(group, "blocks").flatMap((block) => listAt(block, "items"))) {
      const words = textAt(item, "content") ?? textAt(item, "title");
      if (words) choices.set(textAt(item, "id") ?? "", words);
    }
    const missed = blocks.filter((block) => missedBlocks.has(block)).length;
    return missed === 0 ? [] : [{ id, title, met: blocks.length - missed, of: blocks.length }];
  });
  const edges = listAt(bot, "edges").flatMap((edge) => {
    const id = textAt(edge, "id") ?? "";
    if (!missedEdges.has(id)) return [];
    const blockId = textAt(edge, "from", "blockId");
    const from = titles.get(groupOf.get(blockId ?? "") ?? "") ?? nameless;
    const choice = choices.get(textAt(edge, "from", "itemId") ?? "");
    return [{ id, from, choice, blockId, to: titles.get(textAt(edge, "to", "groupId") ?? "") ?? nameless }];
  });
  return { groups, edges };
}

/** Returns the visitor's message of a turn in readable form, if the turn has one. */
export function saidIn({ say }: Turn): string | undefined {
  if (typeof say === "string") return say;
  if (!isObject(say)) return undefined;
  return textAt(say, "text") ?? textAt(say, "url") ?? textAt(say, "command");
}

/** Returns the expected and the actual value as texts. For variables, only the differing values are included. */
export function comparedTexts({ part, expected, actual }: Problem): { expected: string; actual: string } {
  if (part !== "variables" || !isObject(expected) || !isObject(actual)) {
    return { expected: shownValue(expected), actual: shownValue(actual) };
  }
  const names = [...new Set([...Object.keys(expected), ...Object.keys(actual)])].filter(
    (name) => JSON.stringify(expected[name]) !== JSON.stringify(actual[name]),
  );
  const lines = (values: Readonly<Record<string, unknown>>) =>
    names.map((name) => `${name} = ${shownValue(values[name])}`).join("\n");
  return { expected: lines(expected), actual: lines(actual) };
}

function shownValue(value: unknown): string {
  if (value === undefined || value === null || value === "") return "–";
  if (Array.isArray(value)) return value.length === 0 ? "–" : value.map(shownValue).join("\n");
  return typeof value === "object" ? JSON.stringify(value, null, 2) : String(value);
}
