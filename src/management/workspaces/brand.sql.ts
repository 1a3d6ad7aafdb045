import type { Brand } from "../../core/interpreter/schemas/brand.ts";
import { andSeen } from "../../platform/database/seen.sql.ts";
import { first, type Sql } from "../../platform/database/sql.ts";

/** The brand of a workspace, and the time of the workspace's last change. */
export type BrandRow = { readonly brand: Brand | null; readonly updatedAt: Date };

export async function findBrand(sql: Sql, workspaceId: string): Promise<BrandRow | undefined> {
  return first(sql<BrandRow[]>`
    select brand, updated_at
    from workspaces
    where id = ${workspaceId}
      and deleted_at is null`);
}

/**
 * Writes the brand of a workspace. Returns undefined if the workspace does not exist, or if its `updatedAt` is not in
 * `seen`.
 */
export async function updateBrand(
  sql: Sql,
  workspaceId: string,
  { brand, seen }: { brand: Brand | null; seen: readonly Date[] | undefined },
): Promise<BrandRow | undefined> {
  return first(sql<BrandRow[]>`
    update workspaces
    set brand = ${brand && JSON.stringify(brand)}::text::json,
      updated_at = greatest(clock(), updated_at + interval '1 millisecond')
    where id = ${workspaceId}
      and deleted_at is null
      ${andSeen(sql, seen)}
    returning brand, updated_at`);
}
