import type { TestConversation } from "../../../core/test-conversations/schema.ts";
import { first, type Sql } from "../../../platform/database/sql.ts";

/** A test conversation of a bot, without its content. */
export type TestConversationRow = {
  readonly name: string;
  readonly title: string;
  /** Whether publishing is rejected while the test fails. */
  readonly isRequired: boolean;
  readonly createdAt: Date;
  readonly updatedAt: Date;
};

export type WholeTestConversationRow = TestConversationRow & { readonly conversation: TestConversation };

type Place = { readonly botId: string; readonly name: string };

/** Returns a bot's test conversations, sorted by name. */
export async function listTestConversations(sql: Sql, botId: string): Promise<TestConversationRow[]> {
  return sql<TestConversationRow[]>`
    select ${columns(sql)}
    from test_conversations
    where bot_id = ${botId}
    order by name`;
}

/**
 * Reads a bot's test conversations with their content, sorted by name. With `names`, reads only the conversations with
 * these names; with `isRequired`, only the conversations that publishing requires.
 */
export async function readTestConversations(
  sql: Sql,
  { botId, names, isRequired }: { botId: string; names?: readonly string[] | undefined; isRequired?: true },
): Promise<WholeTestConversationRow[]> {
  return sql<WholeTestConversationRow[]>`
    select ${columns(sql)}, conversation
    from test_conversations
    where bot_id = ${botId}
      ${names ? sql`and name = any(${[...names]}::text[])` : sql``}
      ${isRequired ? sql`and is_required` : sql``}
    order by name`;
}

/**
 * Creates or replaces a test conversation. Returns undefined if the bot already has `most` other test conversations.
 */
export async function putTestConversation(
  sql: Sql,
  { botId, name }: Place,
  { conversation, isRequired, most }: { conversation: TestConversation; isRequired: boolean; most: number },
): Promise<WholeTestConversationRow | undefined> {
  return first(sql<WholeTestConversationRow[]>`
    insert into test_conversations as t (bot_id, name, conversation, is_required)
    select ${botId}, ${name}::text, ${JSON.stringify(conversation)}::text::json, ${isRequired}::boolean
    where (select count(*) from test_conversations where bot_id = ${botId} and name <> ${name}::text) < ${most}::integer
    on conflict (bot_id, name) do update
    set
      conversation = excluded.conversation,
      is_required = excluded.is_required,
      updated_at = greatest(clock(), t.updated_at + interval '1 millisecond')
    returning ${columns(sql)}, conversation`);
}

export async function deleteTestConversation(sql: Sql, { botId, name }: Place): Promise<boolean> {
  const rows = await sql`
    delete from test_conversations
    where bot_id = ${botId}
      and name = ${name}
    returning 1`;
  return rows.length === 1;
}

function columns(sql: Sql) {
  return sql`name, conversation ->> 'title' as title, is_required, created_at, updated_at`;
}
