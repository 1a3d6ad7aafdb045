import type { StoredFlow } from "../flow/document.ts";
import { limits } from "../limits.ts";
import type { Sql } from "./database/sql.ts";

export type ResultsTablePreferences = Readonly<Record<string, unknown>>;

export type BotRow = StoredFlow & {
  readonly id: string;
  readonly workspaceId: string;
  readonly folderId: string | null;
  readonly name: string;
  readonly icon: string | null;
  readonly selectedThemeTemplateId: string | null;
  readonly resultsTablePreferences: ResultsTablePreferences | null;
  readonly publicId: string | null;
  readonly customDomain: string | null;
  readonly messengerCredentialsId: string | null;
  readonly riskLevel: number | null;
  readonly isClosed: boolean;
  readonly isArchived: boolean;
  readonly publicationNumber: number | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;
};

/** What an author writes of a bot. */
export type BotFields = StoredFlow &
  Pick<
    BotRow,
    | "name"
    | "icon"
    | "folderId"
    | "selectedThemeTemplateId"
    | "resultsTablePreferences"
    | "publicId"
    | "customDomain"
    | "messengerCredentialsId"
    | "riskLevel"
    | "isClosed"
  >;

export type NewBot = Omit<BotFields, "messengerCredentialsId" | "riskLevel" | "isClosed"> & {
  readonly id: string;
  readonly workspaceId: string;
};

/** Makes a bot. A taken public id or custom domain violates `bots_public_id` or `bots_custom_domain`. */
export async function insertBot(sql: Sql, bot: NewBot): Promise<BotRow> {
  const [row] = await sql<[BotRow]>`
    insert into bots (
      id, workspace_id, folder_id, version, name, icon, events, groups, edges, variables, theme, settings,
      selected_theme_template_id, results_table_preferences, public_id, custom_domain
    )
    values (
      ${bot.id},
      ${bot.workspaceId},
      ${bot.folderId},
      ${bot.version},
      ${bot.name},
      ${bot.icon},
      ${jsonText(bot.events)}::text::json,
      ${jsonText(bot.groups)}::text::json,
      ${jsonText(bot.edges)}::text::json,
      ${jsonText(bot.variables)}::text::json,
      ${jsonText(bot.theme)}::text::json,
      ${jsonText(bot.settings)}::text::json,
      ${bot.selectedThemeTemplateId},
      ${jsonText(bot.resultsTablePreferences)}::text::json,
      ${bot.publicId},
      ${bot.customDomain}
    )
    returning ${columns(sql)}`;
  return row;
}

/** A bot that is not archived, or undefined. */
export async function findBot(sql: Sql, botId: string): Promise<BotRow | undefined> {
  const [row] = await sql<BotRow[]>`
    select ${columns(sql)}
    from bots
    where id = ${botId}
      and not is_archived`;
  return row;
}

/**
 * Writes the given fields and leaves the others; `updatedAt` grows. With `seenUpdatedAt` only when nobody has written
 * since. Undefined when nothing was written: no such bot, somebody wrote since, or the flow as a whole would be too large.
 */
export async function updateBot(
  sql: Sql,
  { botId, changes, seenUpdatedAt }: { botId: string; changes: Partial<BotFields>; seenUpdatedAt: Date | undefined },
): Promise<BotRow | undefined> {
  const [row] = await sql<BotRow[]>`
    update bots
    set updated_at = greatest(clock(), updated_at + interval '1 millisecond')
      ${assignments(sql, changes)}
    where id = ${botId}
      and not is_archived
      ${seenUpdatedAt ? sql`and updated_at = ${seenUpdatedAt}` : sql``}
      ${flowFits(sql, changes)}
    returning ${columns(sql)}`;
  return row;
}

/**
 * Hides a bot for good and gives its public id and custom domain free. Its content stays until the erasure that follows.
 * Does nothing to a bot that is archived already.
 */
export async function archiveBot(sql: Sql, botId: string): Promise<void> {
  await sql`
    update bots
    set is_archived = true,
      public_id = null,
      custom_domain = null,
      publication_number = null,
      updated_at = greatest(clock(), updated_at + interval '1 millisecond')
    where id = ${botId}
      and not is_archived`;
}

/** Whether a folder lies in a workspace. */
export async function hasFolder(
  sql: Sql,
  { workspaceId, folderId }: { workspaceId: string; folderId: string },
): Promise<boolean> {
  const rows = await sql`
    select 1
    from folders
    where id = ${folderId}
      and workspace_id = ${workspaceId}`;
  return rows.length === 1;
}

const textColumns = {
  version: "version",
  name: "name",
  icon: "icon",
  selectedThemeTemplateId: "selected_theme_template_id",
  publicId: "public_id",
  customDomain: "custom_domain",
  messengerCredentialsId: "messenger_credentials_id",
  riskLevel: "risk_level",
  isClosed: "is_closed",
} as const;

const flowColumns = {
  events: "events",
  groups: "groups",
  edges: "edges",
  variables: "variables",
  theme: "theme",
  settings: "settings",
} as const;

const jsonColumns = { ...flowColumns, resultsTablePreferences: "results_table_preferences" } as const;

/** The changed columns, each after a comma. */
function assignments(sql: Sql, changes: Partial<BotFields>) {
  const plain = keysOf(textColumns).flatMap((key) => {
    const value = changes[key];
    return value === undefined ? [] : [sql`, ${sql(textColumns[key])} = ${value}`];
  });
  const json = keysOf(jsonColumns).flatMap((key) => {
    const value = changes[key];
    return value === undefined ? [] : [sql`, ${sql(jsonColumns[key])} = ${jsonText(value)}::text::json`];
  });
  const { folderId } = changes;
  const folder = folderId === undefined ? [] : [sql`, folder_id = ${folderId}`];
  return [...plain, ...json, ...folder, sql``];
}

/** Each part of a flow may be written alone, so the whole is measured with the parts that stay. */
function flowFits(sql: Sql, changes: Partial<BotFields>) {
  const keys = keysOf(flowColumns);
  if (keys.every((key) => changes[key] === undefined)) return sql``;
  const changed = keys.reduce(
    (bytes, key) => bytes + (changes[key] === undefined ? 0 : flowPartBytes(changes[key])),
    0,
  );
  const kept = keys
    .filter((key) => changes[key] === undefined)
    .map((key) => sql`+ coalesce(octet_length(${sql(flowColumns[key])}::text), 0)`);
  return sql`and ${changed}::bigint ${[...kept, sql``]} <= ${limits.request.managementBodyBytes}`;
}

function flowPartBytes(value: unknown): number {
  return Buffer.byteLength(jsonText(value) ?? "");
}

/** JSON goes to the database as text, so that what was sent is what is stored; null is SQL's. */
function jsonText(value: unknown): string | null {
  return value === null ? null : JSON.stringify(value);
}

function columns(sql: Sql) {
  return sql`
    id,
    workspace_id,
    folder_id,
    version,
    name,
    icon,
    events,
    groups,
    edges,
    variables,
    theme,
    settings,
    selected_theme_template_id,
    results_table_preferences,
    public_id,
    custom_domain,
    messenger_credentials_id,
    risk_level,
    is_closed,
    is_archived,
    publication_number,
    created_at,
    updated_at`;
}

function keysOf<T extends object>(object: T): (keyof T)[] {
  const keys: (keyof T)[] = [];
  for (const key in object) keys.push(key);
  return keys;
}
