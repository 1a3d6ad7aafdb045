import { flowOf } from "../../../core/flow/complete.ts";
import type { StoredFlow } from "../../../core/flow/document.ts";
import type { Outcome, Proof } from "../../../core/test-conversations/prove.ts";
import type { TestConversation } from "../../../core/test-conversations/schema.ts";
import { AppError } from "../../../errors.ts";
import { limits } from "../../../limits/index.ts";
import { invalidInput } from "../../../platform/http/requests/invalid-input.ts";
import { type Caller, requireBot } from "../../access/access.ts";
import { findBot } from "../bots.sql.ts";
import type { BotDependencies } from "../drafts/dependencies.ts";
import { findPublication } from "./publications.sql.ts";
import {
  deleteTestConversation as deleteRow,
  listTestConversations as listRows,
  putTestConversation as putRow,
  readTestConversations,
  type TestConversationRow,
  type WholeTestConversationRow,
} from "./test-conversations.sql.ts";

export type TestConversationPlace = { readonly botId: string; readonly name: string };

/** Returns a bot's test conversations without their content, sorted by name. */
export async function listTestConversations(
  deps: BotDependencies,
  caller: Caller,
  botId: string,
): Promise<readonly TestConversationRow[]> {
  await requireBot(deps, caller, botId, "read");
  return listRows(deps.sql, botId);
}

export async function getTestConversation(
  deps: BotDependencies,
  caller: Caller,
  { botId, name }: TestConversationPlace,
): Promise<WholeTestConversationRow> {
  await requireBot(deps, caller, botId, "read");
  const [row] = await readTestConversations(deps.sql, { botId, names: [name] });
  if (!row) throw new AppError("test_conversation.not_found");
  return row;
}

/**
 * Creates or replaces a test conversation. The conversation uses the bot's flow, so a flow in the request is not
 * stored.
 */
export async function putTestConversation(
  deps: BotDependencies,
  caller: Caller,
  place: TestConversationPlace,
  { conversation, isRequired }: { conversation: TestConversation; isRequired: boolean },
): Promise<WholeTestConversationRow> {
  await requireBot(deps, caller, place.botId, "write");
  const { flow: _, ...kept } = conversation;
  requireSmall(kept, "conversation");
  const most = limits.testConversations.perBot;
  const row = await putRow(deps.sql, place, { conversation: kept, isRequired, most });
  if (!row) throw new AppError("test_conversation.too_many", { data: { most } });
  return row;
}

export async function deleteTestConversation(
  deps: BotDependencies,
  caller: Caller,
  place: TestConversationPlace,
): Promise<void> {
  await requireBot(deps, caller, place.botId, "write");
  if (!(await deleteRow(deps.sql, place))) throw new AppError("test_conversation.not_found");
}

export type NamedOutcome = Outcome & { readonly name: string };

export type NamedProof = Omit<Proof, "outcomes"> & { readonly outcomes: NamedOutcome[] };

/**
 * Runs a bot's test conversations, or only the named ones, with its draft or a version. Stores nothing and sends
 * nothing. Throws `test_conversation.not_found` or `publication.not_found`.
 */
export async function runTestConversations(
  deps: BotDependencies,
  caller: Caller,
  botId: string,
  { names, version }: { names: readonly string[] | undefined; version: string },
): Promise<NamedProof> {
  const { workspaceId } = await requireBot(deps, caller, botId, "read");
  const flow = await readFlow(deps, botId, version);
  const rows = await readTestConversations(deps.sql, { botId, names });
  if (names?.some((name) => !rows.some((row) => row.name === name))) throw new AppError("test_conversation.not_found");
  caller.place.end();
  return prove(deps, { workspaceId, flow, rows });
}

/** Returns the bot's required test conversations that would fail with this flow. */
export async function failuresOf(
  deps: BotDependencies,
  { workspaceId, botId }: { workspaceId: string; botId: string },
  flow: StoredFlow,
): Promise<readonly NamedOutcome[]> {
  const rows = await readTestConversations(deps.sql, { botId, isRequired: true });
  if (rows.length === 0) return [];
  const { outcomes } = await prove(deps, { workspaceId, flow, rows });
  return outcomes.filter(({ hasPassed }) => !hasPassed);
}

async function prove(
  { threads }: BotDependencies,
  { workspaceId, flow, rows }: { workspaceId: string; flow: StoredFlow; rows: readonly WholeTestConversationRow[] },
): Promise<NamedProof> {
  const conversations = JSON.stringify(rows.map(({ conversation }) => conversation));
  const proof: Proof = JSON.parse(await threads.prove({ flow: JSON.stringify(flow), conversations }, workspaceId));
  return {
    ...proof,
    outcomes: proof.outcomes.map((outcome, index) => ({ name: rows[index]?.name ?? "", ...outcome })),
  };
}

async function readFlow(deps: BotDependencies, botId: string, version: string): Promise<StoredFlow> {
  if (version !== "draft") {
    const publication = await findPublication(deps.sql, { botId, number: Number(version) });
    if (!publication) throw new AppError("publication.not_found");
    return publication.flow;
  }
  const bot = await findBot(deps.sql, botId);
  if (!bot) throw new AppError("bot.not_found");
  return flowOf(bot);
}

function requireSmall(value: unknown, path: string): void {
  const most = limits.testConversations.bytes;
  if (Buffer.byteLength(JSON.stringify(value)) <= most) return;
  throw invalidInput([{ path, message: `must be at most ${most} bytes of JSON` }]);
}
