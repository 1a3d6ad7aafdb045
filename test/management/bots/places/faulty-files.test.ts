import { afterAll, beforeAll, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { createDice, type Dice } from "../../../core/editing/dice.ts";
import { createTestApi, type TestApi, type TestUser } from "../../../support/api.ts";
import { say, start } from "../../../support/chat.ts";
import type { Answer } from "../../../support/client.ts";
import {
  type FlowFile,
  soundFile,
  withCountedIds,
  withFaults,
  withNamedBlocks,
} from "../../../support/faulty-files.ts";
import { createThreads } from "../../../support/threads.ts";

const threads = createThreads({ count: 1 });
let api: TestApi;
let owner: TestUser;
let workspaceId: string;

beforeAll(async () => {
  api = await createTestApi({ threads });
  owner = await api.makeUser();
  workspaceId = await api.makeWorkspace(owner);
});
afterAll(async () => {
  await threads.close();
  await api.close();
});

test.each(["3", "4", "5", "6", "6.1"])(
  "six repaired files of version %s, each with three faults, become the same bot, chat and export as the original",
  async (version) => {
    const dice = createDice(Number(version) * 100);
    await expectRepairs(soundFile(version, dice), { dice, name: "bot", count: 6 });
  },
);

test.each(["customer-support", "lead-generation", "nps", "quiz"])(
  "two repaired files of %s, each with three faults, become the same bot, chat and export as the original",
  async (example) => {
    const path = join(import.meta.dir, "../../../flows", `${example}.json`);
    const file: FlowFile = JSON.parse(readFileSync(path, "utf8"));
    await expectRepairs(withNamedBlocks(file), { dice: createDice(example.length), name: "typebot", count: 2 });
  },
);

type Made = { readonly dice: Dice; readonly name: "bot" | "typebot"; readonly count: number };

/** Imports a file, and `count` copies with faults. Expects that the imported bots only differ in new ids. */
async function expectRepairs(sound: FlowFile, { dice, name, count }: Made): Promise<void> {
  const first = await comeIn(sound, name);
  expect(first.repairs).toEqual([]);
  if (Number(sound.version) >= 6) {
    for (const key of Object.keys(sound).filter((key) => !ownOfBots.includes(key))) {
      expect([key, first.exported[key]]).toEqual([key, sound[key]]);
    }
  }
  const walk = Array.from({ length: 5 }, () => dice.below(9));
  const said = await chatOf(first.botId, walk);
  expect(said.length).toBeGreaterThan(1);
  for (let made = 0; made < count; made++) {
    const { file, kinds } = withFaults(sound, dice);
    const repaired = await comeIn(file, name);
    expect(repaired.repairs.toSorted()).toEqual(kinds.toSorted());
    expect(withCountedIds(repaired.flow)).toEqual(withCountedIds(first.flow));
    expect(await chatOf(repaired.botId, walk)).toEqual(said);
  }
}

const ownOfBots = ["id", "createdAt", "updatedAt", "publicId", "customDomain", "workspaceId", "folderId"];

async function comeIn(file: FlowFile, name: "bot" | "typebot") {
  const imported = await post(`${name}s/import`, { workspaceId, [name]: file, repair: true });
  const botId = imported.text(`${name}.id`);
  const { body } = await api.client.get(`/api/v1/${name}s/${botId}/export`, { token: owner.token });
  const exported: Record<string, unknown> = Object(body);
  const { events, groups, edges } = exported;
  return { botId, exported, flow: { events, groups, edges }, repairs: imported.list("report.repairs.*.kind") };
}

async function chatOf(botId: string, walk: readonly number[]): Promise<string[]> {
  const { publicId } = Object((await post(`bots/${botId}/publish`, { force: true })).body);
  const started = await start(api.client, publicId);
  const sessionId = started.text("sessionId");
  const said = [textsOf(started)];
  let last = started;
  for (const [turn, number] of walk.entries()) {
    const reply =
      turn === 2 && said.length > 2 ? { type: "command", command: "help" } : replyTo(last.at("input"), number);
    if (reply === undefined) break;
    const next = await say(api.client, sessionId, reply);
    if (next.status === 200) last = next;
    said.push(next.status === 200 ? textsOf(next) : next.text("code"));
  }
  return said;
}

const textsOf = (answer: Answer) =>
  JSON.stringify([
    answer.at("messages.*.content"),
    answer.at("input.items.*.content"),
    answer.at("clientSideActions.*.type"),
  ]);

function replyTo(input: unknown, number: number): string | undefined {
  const { type, items } = Object(input);
  if (type === undefined) return undefined;
  if (Array.isArray(items)) return Object(items[number % items.length]).content;
  return { "email input": "ada@example.org", "rating input": "5" }[String(type)] ?? "Ada";
}

function post(path: string, body: object) {
  return api.client.post(`/api/v1/${path}`, { token: owner.token, body });
}
