import type { StoredFlow } from "../../core/flow/document.ts";
import type { JsonObject } from "../../core/interpreter/flow.ts";
import { limits } from "../../limits/index.ts";
import { andSeen } from "../../platform/database/seen.sql.ts";
import { columnName, first, type Sql } from "../../platform/database/sql.ts";
import { type DraftEdit, editedRow, editLog } from "./draft-edits.sql.ts";

export type ResultsTablePreferences = Readonly<Record<string, unknown>>;

export type BotRow = StoredFlow & {
  readonly id: string;
  readonly name: string;
  readonly selectedThemeTemplateId: string | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;
  readonly icon: string | null;
  readonly folderId: string | null;
  readonly publicId: string | null;
  readonly customDomain: string | null;
  readonly workspaceId: string;
  readonly resultsTablePreferences: ResultsTablePreferences | null;
  readonly isArchived: boolean;
  readonly isClosed: boolean;
  readonly messengerCredentialsId: string | null;
  readonly riskLevel: number | null;
  /** The number of the published version. Null if the bot is not published. */
  readonly publicationNumber: number | null;
  /** The number of change sets that were applied to the draft. */
  readonly revision: number;
  /** The editor's data, stored in addition to the flow. */
  readonly editor: JsonObject | null;
};

/** The fields of a bot that its author writes. */
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
    | "editor"
  >;

export type BotFieldChanges = { readonly [Field in keyof BotFields]?: BotFields[Field] | undefined };

type NewBot = Omit<BotFields, "messengerCredentialsId" | "riskLevel" | "isClosed"> & {
  readonly id: string;
  readonly workspaceId: string;
  /** Keys of the bot's file that no code reads. */
  readonly extra: JsonObject | null;
};

/**
 * Inserts a bot. Returns undefined if the folder is not in the workspace, or if the workspace was deleted meanwhile. A
 * public id or custom domain that is already used violates `bots_public_id` or `bots_custom_domain`.
 */
export async function insertBot(sql: Sql, bot: NewBot): Promise<BotRow | undefined> {
  return first(sql<BotRow[]>`
    insert into bots (
      id, workspace_id, folder_id, version, name, icon, events, groups, edges, variables, theme, settings,
      selected_theme_template_id, results_table_preferences, public_id, custom_domain, editor, extra
    )
    select
      ${bot.id},
      ${bot.workspaceId},
      ${bot.folderId}::uuid,
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
      ${bot.customDomain},
      ${jsonText(bot.editor)}::text::json,
      ${jsonText(bot.extra)}::text::json
    where exists (
        select
        from workspaces
        where id = ${bot.workspaceId}
          and deleted_at is null
        for share
      )
      and ${folderIsThere(sql, bot.folderId, sql`${bot.workspaceId}::uuid`)}
    returning ${columns(sql)}`);
}

/** Returns a bot that is not in the bin, or undefined. */
export async function findBot(sql: Sql, botId: string): Promise<BotRow | undefined> {
  return first(sql<BotRow[]>`
    select ${columns(sql)}
    from bots
    where id = ${botId}
      and deleted_at is null`);
}

/** Returns the keys of a bot's file that no code reads, or null if there are none. */
export async function findExtra(sql: Sql, botId: string): Promise<JsonObject | null> {
  const [bot] = await sql<{ extra: JsonObject | null }[]>`
    select extra
    from bots
    where id = ${botId}`;
  return bot?.extra ?? null;
}

/**
 * An update of a bot. With `seen`, it applies only if the bot's `updatedAt` is one of these times. With `edit`, it
 * applies only to the revision on which the edit is based, and is logged.
 */
export type BotUpdate = {
  readonly botId: string;
  readonly changes: BotFieldChanges;
  readonly seen: readonly Date[] | undefined;
  readonly edit?: DraftEdit | undefined;
};

/**
 * Writes the given fields and increases `updatedAt`. Returns undefined if nothing was written: the bot is missing or
 * archived, the folder is missing, the bot was written meanwhile, or the whole flow would be too large.
 */
export async function updateBot(sql: Sql, update: BotUpdate): Promise<BotRow | undefined> {
  return first(sql<BotRow[]>`${written(sql, update, columns(sql))} select * from bot`);
}

/** Like `updateBot`, but returns only the new revision and time. */
export async function updateDraft(
  sql: Sql,
  update: BotUpdate,
): Promise<{ readonly revision: number; readonly updatedAt: Date } | undefined> {
  return first(sql<{ revision: number; updatedAt: Date }[]>`
    ${written(sql, update, sql`id, revision, updated_at`)}
    select revision, updated_at
    from bot`);
}

function written(sql: Sql, { botId, changes, seen, edit }: BotUpdate, returned: ReturnType<typeof columns>) {
  const edited = editedRow(sql, edit);
  return sql`
    with bot as (
      update bots
      set updated_at = greatest(clock(), updated_at + interval '1 millisecond')
        ${edited.assignments}
        ${assignments(sql, changes)}
      where id = ${botId}
        and not is_archived
        ${edited.condition}
        ${andSeen(sql, seen)}
        and ${folderIsThere(sql, changes.folderId, sql`bots.workspace_id`)}
        ${flowFits(sql, changes)}
      returning ${returned}
    )
    ${edit && edit.sets.length > 0 ? sql`, ${editLog(sql, edit)}` : sql``}`;
}

/**
 * Returns the SQL condition that a folder is in a workspace. Without a folder, the condition is always true. Otherwise
 * it also locks the folder, so that the folder cannot be deleted before the end of the statement.
 */
function folderIsThere(sql: Sql, folderId: string | null | undefined, workspaceId: ReturnType<Sql>) {
  if (typeof folderId !== "string") return sql`true`;
  return sql`exists (
    select
    from folders
    where folders.id = ${folderId}
      and folders.workspace_id = ${workspaceId}
      and folders.deleted_at is null
    for share
  )`;
}

/** Whether a workspace contains a folder that is not in the bin. */
export async function hasFolder(
  sql: Sql,
  { workspaceId, folderId }: { workspaceId: string; folderId: string },
): Promise<boolean> {
  const rows = await sql`
    select 1
    from folders
    where id = ${folderId}
      and workspace_id = ${workspaceId}
      and deleted_at is null`;
  return rows.length === 1;
}

const plainFields = [
  "version",
  "name",
  "icon",
  "folderId",
  "selectedThemeTemplateId",
  "publicId",
  "customDomain",
  "messengerCredentialsId",
  "riskLevel",
  "isClosed",
] as const;

const flowParts = ["events", "groups", "edges", "variables", "theme", "settings"] as const;

/** Returns the assignments of the changed columns, each with a leading comma. */
function assignments(sql: Sql, changes: BotFieldChanges) {
  const plain = plainFields.flatMap((field) => {
    const value = changes[field];
    return value === undefined ? [] : [sql`, ${sql(columnName(field))} = ${value}`];
  });
  const json = ([...flowParts, "resultsTablePreferences", "editor"] as const).flatMap((field) => {
    const value = changes[field];
    return value === undefined ? [] : [sql`, ${sql(columnName(field))} = ${jsonText(value)}::text::json`];
  });
  return [...plain, ...json, sql``];
}

/**
 * Returns the SQL condition that the whole flow is within the size limit. A request may write only some parts of a
 * flow, so the size of the unchanged parts is added.
 */
function flowFits(sql: Sql, changes: BotFieldChanges) {
  if (flowParts.every((part) => changes[part] === undefined)) return sql``;
  const changed = flowParts.reduce(
    (bytes, part) => bytes + (changes[part] === undefined ? 0 : flowPartBytes(changes[part])),
    0,
  );
  const kept = flowParts
    .filter((part) => changes[part] === undefined)
    .map((part) => sql`+ coalesce(octet_length(${sql(part)}::text), 0)`);
  return sql`and ${changed}::bigint ${[...kept, sql``]} <= ${limits.request.managementBodyBytes}`;
}

function flowPartBytes(value: unknown): number {
  return Buffer.byteLength(jsonText(value) ?? "");
}

/** JSON is sent to the database as text, which the database stores unchanged. Null becomes SQL's null. */
function jsonText(value: unknown): string | null {
  return value === null ? null : JSON.stringify(value);
}

/** The columns in the order of the API. */
function columns(sql: Sql) {
  return sql`
    version,
    id,
    name,
    events,
    groups,
    edges,
    variables,
    theme,
    selected_theme_template_id,
    settings,
    created_at,
    updated_at,
    icon,
    folder_id,
    public_id,
    custom_domain,
    workspace_id,
    results_table_preferences,
    is_archived,
    is_closed,
    messenger_credentials_id,
    risk_level,
    publication_number,
    revision,
    editor`;
}
