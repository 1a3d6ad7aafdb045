import { shardedIds } from "../../platform/database/bulk.ts";
import type { Sql } from "../../platform/database/sql.ts";
import { fromUuid } from "../../platform/ids.ts";

/** The kinds of objects that entries of the audit log refer to. */
export const auditSubjects = [
  "member",
  "collaborator",
  "invitation",
  "apiToken",
  "eventEndpoint",
  "credentials",
  "channelConnection",
  "customDomain",
  "secret",
  "themeTemplate",
  "comment",
  "workspaceFile",
  "folder",
  "testConversation",
  "result",
  "bot",
  "workspace",
  "user",
] as const;
export type AuditSubject = (typeof auditSubjects)[number];

/**
 * The objects of an entry. `ownerId` is the workspace of members and secrets, and the bot of collaborators, test
 * conversations and results.
 */
export type SubjectPlace = {
  readonly subject: AuditSubject;
  readonly ids: readonly string[];
  readonly ownerId: string | undefined;
  /**
   * Whether the objects change along with another object, such as the bots in a deleted folder. Their entry contains no
   * hashes. If the write succeeds without changing them, the entry is deleted.
   */
  readonly isCompanion?: true;
};

/** A stored field, such as `name`, or a part of a field, such as `g1` of `groups`, with the hash of its content. */
type PartRow = { readonly field: string; readonly part: string | null; readonly hash: string };

export type SubjectState = {
  readonly workspaceId: string | null;
  /** The hash of all these objects. Null for companions, or if none of the objects exists. */
  readonly hash: string | null;
  readonly parts: readonly PartRow[];
};

/**
 * Returns the stored state of these objects as hashes, so that no content leaves the database. If a field is an object
 * or a list, each of its members is a part with its own hash. A member of a list is named by its id, or otherwise by
 * its index.
 */
export async function findSubjectState(sql: Sql, place: SubjectPlace): Promise<SubjectState> {
  const isOne = place.ids.length === 1 && !place.isCompanion;
  const isNamed = place.subject === "secret" || place.subject === "testConversation";
  const [row] = await sql<[Omit<SubjectState, "parts"> & { parts: (PartRow & { id: string })[] }]>`
    with stored as materialized (${storedAs(sql, place)}),
    fields as (
      select stored.id, field.key as field, field.value
      from stored
      cross join jsonb_each(stored.content) as field
    ),
    parts as (
      select fields.id, fields.field, null as part, fields.value
      from fields
      union all
      select fields.id, fields.field, member.key, member.value
      from fields
      cross join jsonb_each(case when jsonb_typeof(fields.value) = 'object' then fields.value else '{}' end) as member
      union all
      select
        fields.id,
        fields.field,
        coalesce(case when jsonb_typeof(item.value) = 'object' then item.value ->> 'id' end, (item.index - 1)::text),
        item.value
      from fields
      cross join jsonb_array_elements(case when jsonb_typeof(fields.value) = 'array' then fields.value else '[]' end)
        with ordinality as item (value, index)
    )
    select
      (select workspace_id from stored limit 1) as workspace_id,
      (
        select ${hashOf(sql, sql`string_agg(stored.id || ' ' || stored.content::text, ' ' order by stored.id)`)}
        from stored
      ) as hash,
      coalesce(
        (
          select json_agg(json_build_object('id', id, 'field', field, 'part', part, 'hash', ${hashOf(sql, sql`value::text`)}))
          from parts
        ),
        '[]'
      ) as parts`;
  const prefixOf = (id: string) => (isOne ? "" : `${isNamed ? id : fromUuid(id)}.`);
  return {
    ...row,
    hash: place.isCompanion ? null : row.hash,
    parts: row.parts.map(({ id, field, part, hash }) => ({ field: `${prefixOf(id)}${field}`, part, hash })),
  };
}

function hashOf(sql: Sql, text: ReturnType<Sql>) {
  return sql`encode(sha256(convert_to(${text}, 'UTF8')), 'hex')`;
}

/**
 * Selects the objects, each with its id, its workspace, and the fields that the log compares. Hashes of tokens and
 * codes are left out.
 */
function storedAs(sql: Sql, { subject, ids, ownerId: owner, isCompanion }: SubjectPlace) {
  const ownerId = owner ?? null;
  const type = subject === "secret" || subject === "testConversation" ? sql`text[]` : sql`uuid[]`;
  // For a single id, the usual case, PostgreSQL reuses the plan. For a list, PostgreSQL expects ten elements and would
  // plan each write again (0.44 of 0.76 ms).
  const isAmong = ids.length === 1 ? sql`= ${ids[0] ?? ""}` : sql`= any(${[...ids]}::${type})`;
  switch (subject) {
    case "bot":
      if (isCompanion) {
        return sql`
          select
            id::text,
            workspace_id,
            jsonb_build_object(
              'folderId', folder_id, 'isDeleted', deleted_at is not null, 'isErased', coalesce(erase_after <= clock(), false)
            ) as content
          from bots
          where id ${isAmong}`;
      }
      return sql`
        select
          id::text,
          workspace_id,
          jsonb_build_object(
            'version', version, 'name', name, 'icon', icon, 'events', events, 'groups', groups, 'edges', edges,
            'variables', variables, 'theme', theme, 'settings', settings, 'editor', editor,
            'selectedThemeTemplateId', selected_theme_template_id, 'resultsTablePreferences', results_table_preferences,
            'publicId', public_id, 'customDomain', custom_domain, 'messengerCredentialsId', messenger_credentials_id,
            'riskLevel', risk_level, 'isClosed', is_closed, 'isArchived', is_archived, 'folderId', folder_id,
            'workspaceId', workspace_id, 'resultsRetentionDays', results_retention_days, 'publication', publication_number, 'canary', canary_number,
            'canaryPercent', canary_percent, 'isDeleted', deleted_at is not null
          ) as content
        from bots
        where id ${isAmong}`;
    case "folder":
      if (isCompanion) {
        return sql`
          select
            id::text,
            workspace_id,
            jsonb_build_object(
              'parentFolderId', parent_folder_id, 'isDeleted', deleted_at is not null, 'isErased', coalesce(erase_after <= clock(), false)
            ) as content
          from folders
          where id ${isAmong}`;
      }
      return sql`
        select
          id::text,
          workspace_id,
          jsonb_build_object(
            'name', name, 'parentFolderId', parent_folder_id, 'isDeleted', deleted_at is not null
          ) as content
        from folders
        where id ${isAmong}`;
    case "workspace":
      return sql`
        select
          id::text,
          id as workspace_id,
          jsonb_build_object(
            'name', name, 'icon', icon, 'plan', plan, 'isSuspended', is_suspended,
            'suspendedReason', suspended_reason, 'isPastDue', is_past_due,
            'isVerified', is_verified, 'isDeleted', deleted_at is not null,
            'modelBudget', (
              select jsonb_build_object(
                'dayTokens', day_tokens, 'dayMoney', day_money, 'monthTokens', month_tokens, 'monthMoney', month_money,
                'keepModelCallsDays', keep_calls_days
              )
              from model_settings
              where model_settings.workspace_id = workspaces.id
            ),
            'modelPrices', (
              select jsonb_agg(
                jsonb_build_object('id', type || ' ' || model, 'in', price_in, 'cached', price_cached, 'out', price_out)
                order by type, model
              )
              from model_prices
              where model_prices.workspace_id = workspaces.id
            )
          ) as content
        from workspaces
        where id ${isAmong}`;
    case "member":
      return sql`
        select user_id::text as id, workspace_id, jsonb_build_object('role', role) as content
        from members
        where workspace_id = ${ownerId}
          and user_id ${isAmong}`;
    case "collaborator":
      return sql`
        select c.user_id::text as id, bots.workspace_id, jsonb_build_object('type', c.type) as content
        from collaborators c
        join bots on bots.id = c.bot_id
        where c.bot_id = ${ownerId}
          and c.user_id ${isAmong}`;
    case "invitation":
      return sql`
        select id::text, workspace_id, jsonb_build_object('email', email, 'role', role) as content
        from invitations
        where id ${isAmong}`;
    case "apiToken":
      return sql`
        select
          id::text,
          workspace_id,
          jsonb_build_object('name', name, 'scope', scope, 'userId', user_id, 'expiresAt', expires_at) as content
        from api_tokens
        where id ${isAmong}`;
    case "eventEndpoint":
      return sql`
        select
          id::text,
          workspace_id,
          jsonb_build_object(
            'url', url, 'description', description, 'eventTypes', event_types, 'isEnabled', is_enabled,
            'maxConcurrency', max_concurrency, 'batchSize', batch_size, 'secret', secret
          ) as content
        from event_endpoints
        where id ${isAmong}`;
    case "credentials":
      return sql`
        select id::text, workspace_id, jsonb_build_object('name', name, 'type', type, 'data', sealed) as content
        from credentials
        where id ${isAmong}`;
    case "channelConnection":
      return sql`
        select
          id::text,
          workspace_id,
          jsonb_build_object(
            'name', name, 'channel', channel, 'settings', settings, 'bots', bots, 'isEnabled', is_enabled, 'secrets', sealed
          ) as content
        from channel_connections
        where id ${isAmong}
          and deleted_at is null`;
    case "customDomain":
      return sql`
        select id::text, workspace_id, jsonb_build_object('name', name, 'state', state) as content
        from custom_domains
        where id ${isAmong}`;
    case "secret":
      return sql`
        select
          name as id,
          workspace_id,
          jsonb_build_object('name', name, 'value', sealed, 'hosts', hosts, 'note', note) as content
        from secrets
        where workspace_id = ${ownerId}
          and name ${isAmong}`;
    case "testConversation":
      return sql`
        select
          t.name as id,
          bots.workspace_id,
          jsonb_build_object('name', t.name, 'conversation', t.conversation, 'isRequired', t.is_required) as content
        from test_conversations t
        join bots on bots.id = t.bot_id
        where t.bot_id = ${ownerId}
          and t.name ${isAmong}`;
    case "result":
      return sql`
        select
          results.id::text,
          bots.workspace_id,
          jsonb_build_object(
            'tags', results.tags, 'note', results.note, 'isDeleted', results.is_archived,
            'variables', results.variables, 'isCompleted', results.is_completed
          ) as content
        from ${shardedIds(sql, ids)} as wanted
        join results on results.shard = wanted.shard and results.id = wanted.id
        join bots on bots.id = results.bot_id
        where results.bot_id = ${ownerId}`;
    case "themeTemplate":
      return sql`
        select id::text, workspace_id, jsonb_build_object('name', name, 'theme', theme) as content
        from theme_templates
        where id ${isAmong}`;
    case "comment":
      return sql`
        select
          comments.id::text,
          bots.workspace_id,
          jsonb_build_object(
            'text', comments.text, 'isRemoved', comments.is_removed, 'isResolved', comments.resolved_at is not null
          ) as content
        from comments
        join bots on bots.id = comments.bot_id
        where comments.id ${isAmong}`;
    case "workspaceFile":
      return sql`
        select
          id::text,
          workspace_id,
          jsonb_build_object('name', name, 'type', type, 'content', encode(hash, 'hex')) as content
        from workspace_files
        where id ${isAmong}
          and not is_removed`;
    case "user":
      return sql`
        select
          id::text,
          null::uuid as workspace_id,
          jsonb_build_object('name', name, 'email', email, 'isAdministrator', is_administrator,
            'isDeactivated', deactivated_at is not null
          ) as content
        from users
        where id ${isAmong}`;
  }
}
