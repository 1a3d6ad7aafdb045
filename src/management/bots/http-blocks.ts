import { blocks as servedBlocks } from "../../core/blocks/index.ts";
import { sampleAnswers } from "../../core/documents/sample-answers.ts";
import type { Dialect } from "../../core/flow/dialect.ts";
import type { StoredFlow, StoredGroup } from "../../core/flow/document.ts";
import { type FlowBlock, isJsonObject, textAt, valueAt } from "../../core/interpreter/flow.ts";
import { AppError } from "../../errors.ts";
import { type Caller, requireBot } from "../access/access.ts";
import { listAutomatedBots } from "./automated-bots.sql.ts";
import { type BotRow, findBot } from "./bots.sql.ts";
import { changeBot } from "./bots.ts";
import type { BotDependencies } from "./drafts/dependencies.ts";

/** A block that sends requests to an address. Automation services may set the address. */
export type HttpBlock = {
  readonly id: string;
  readonly groupId: string;
  readonly type: string;
  /** The title of the block's group and the block's id. */
  readonly label: string;
  /** Null until the block has an address. */
  readonly url: string | null;
};

/** Returns the blocks of a bot's draft that send requests. */
export async function listHttpBlocks(deps: BotDependencies, caller: Caller, botId: string): Promise<HttpBlock[]> {
  return httpBlocksOf(await readDraft(deps, caller, botId));
}

/**
 * Returns an example of the fields that a block would send, with sample answers to the questions that may precede it.
 */
export async function exampleRequest(
  deps: BotDependencies,
  caller: Caller,
  { botId, blockId }: { botId: string; blockId: string },
): Promise<Record<string, string>> {
  const draft = await readDraft(deps, caller, botId);
  requireHttpBlock(draft, blockId);
  const message = "An example: these are not a visitor's answers.";
  return { message, submittedAt: new Date(deps.clock.now()).toISOString(), ...sampleAnswers(draft, blockId) };
}

/** The maximum number of attempts. An attempt fails if the draft is written concurrently. */
const attempts = 5;

/**
 * Sets the address of a block that sends requests, or removes the address with null. Only the draft changes: visitors
 * get the new address when the bot is published.
 */
export async function setHttpAddress(
  deps: BotDependencies,
  caller: Caller,
  { botId, blockId, url, dialect }: { botId: string; blockId: string; url: string | null; dialect: Dialect },
): Promise<void> {
  await requireBot(deps, caller, botId, "write");
  for (let attempt = 1; ; attempt++) {
    const draft = await requireDraft(deps, botId);
    requireHttpBlock(draft, blockId);
    const groups = draft.groups.map((group) => withAddress(group, blockId, url));
    const bot = { groups, updatedAt: draft.updatedAt.toISOString() };
    try {
      await changeBot(deps, caller, botId, { bot, isOverwriting: false, seen: undefined, dialect });
      return;
    } catch (error) {
      const isRaced = error instanceof AppError && error.code === "bot.conflict";
      if (!isRaced || attempt === attempts) throw error;
    }
  }
}

/** Returns the bots that an automation service may list for the caller. */
export async function listAutomated(deps: BotDependencies, { userId, workspaceId, place }: Caller) {
  await place.take(workspaceId ?? userId);
  return listAutomatedBots(deps.sql, { userId, workspaceId });
}

/** Returns the block with this id. Throws `block.not_found` unless the block sends requests. */
export function requireHttpBlock(flow: Pick<StoredFlow, "groups">, blockId: string): FlowBlock {
  const block = flow.groups.flatMap(({ blocks }) => blocks ?? []).find(({ id }) => id === blockId);
  if (!block || !isHttpBlock(block)) throw new AppError("block.not_found");
  return block;
}

function httpBlocksOf({ groups }: Pick<StoredFlow, "groups">): HttpBlock[] {
  return groups.flatMap(({ id: groupId, title, blocks }) =>
    (blocks ?? []).filter(isHttpBlock).map((block) => ({
      id: block.id,
      groupId,
      type: block.type,
      label: `${title ?? ""} > ${block.id}`,
      url: textAt(block, "options", "webhook", "url") ?? null,
    })),
  );
}

function isHttpBlock({ type }: Pick<FlowBlock, "type">): boolean {
  return servedBlocks.get(type)?.calledAddress !== undefined;
}

function withAddress(group: StoredGroup, blockId: string, url: string | null): StoredGroup {
  const { blocks } = group;
  if (!blocks?.some(({ id }) => id === blockId)) return group;
  return { ...group, blocks: blocks.map((block) => (block.id === blockId ? addressed(block, url) : block)) };
}

function addressed<Block extends FlowBlock>(block: Block, url: string | null): Block {
  const options = isJsonObject(block.options) ? block.options : {};
  const webhook = valueAt(options, "webhook");
  const { url: _, ...rest } = isJsonObject(webhook) ? webhook : {};
  return { ...block, options: { ...options, webhook: url === null ? rest : { ...rest, url } } };
}

async function readDraft(deps: BotDependencies, caller: Caller, botId: string): Promise<BotRow> {
  await requireBot(deps, caller, botId, "read");
  return requireDraft(deps, botId);
}

async function requireDraft(deps: BotDependencies, botId: string): Promise<BotRow> {
  const bot = await findBot(deps.sql, botId);
  if (!bot) throw new AppError("bot.not_found");
  return bot;
}
