import { ownedRows } from "../../platform/database/owned-rows.sql.ts";
import { first, type Sql } from "../../platform/database/sql.ts";

/** A theme that is stored in a workspace. */
export type ThemeTemplateRow = {
  readonly id: string;
  readonly workspaceId: string;
  readonly name: string;
  readonly theme: Readonly<Record<string, unknown>>;
  readonly createdAt: Date;
  readonly updatedAt: Date;
};

export type ThemeTemplatePlace = { readonly workspaceId: string; readonly id: string };

/** Lists, finds and removes theme templates of a workspace. */
export const themeTemplateRows = ownedRows<ThemeTemplateRow>({
  table: "theme_templates",
  owner: "workspace_id",
  columns,
});

/**
 * Inserts a theme template. Returns undefined if the workspace already has `most` theme templates. Concurrent requests
 * may exceed this number.
 */
export async function insertThemeTemplate(
  sql: Sql,
  { id, workspaceId, name, theme }: Omit<ThemeTemplateRow, "createdAt" | "updatedAt">,
  { most }: { most: number },
): Promise<ThemeTemplateRow | undefined> {
  return first(sql<ThemeTemplateRow[]>`
    insert into theme_templates (id, workspace_id, name, theme)
    select ${id}::uuid, ${workspaceId}::uuid, ${name}::text, ${JSON.stringify(theme)}::text::json
    where (
      select count(*)
      from theme_templates
      where workspace_id = ${workspaceId}
    ) < ${most}::integer
    returning ${columns(sql)}`);
}

/** Writes the given fields and retains all others. Returns undefined if there is no such theme. */
export async function updateThemeTemplate(
  sql: Sql,
  { workspaceId, id }: ThemeTemplatePlace,
  { name, theme }: { name?: string | undefined; theme?: Readonly<Record<string, unknown>> | undefined },
): Promise<ThemeTemplateRow | undefined> {
  return first(sql<ThemeTemplateRow[]>`
    update theme_templates
    set updated_at = greatest(clock(), updated_at + interval '1 millisecond')
      ${name === undefined ? sql`` : sql`, name = ${name}`}
      ${theme === undefined ? sql`` : sql`, theme = ${JSON.stringify(theme)}::text::json`}
    where id = ${id}
      and workspace_id = ${workspaceId}
    returning ${columns(sql)}`);
}

function columns(sql: Sql) {
  return sql`id, workspace_id, name, theme, created_at, updated_at`;
}
