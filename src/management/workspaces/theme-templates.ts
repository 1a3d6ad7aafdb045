import { checkTheme } from "../../core/flow/check.ts";
import { AppError } from "../../errors.ts";
import { limits } from "../../limits/index.ts";
import { cutPage, type PageRequest, readPage } from "../../platform/http/requests/cursor.ts";
import { invalidInput } from "../../platform/http/requests/invalid-input.ts";
import { isId, newId } from "../../platform/ids.ts";
import { type Caller, requireWorkspace } from "../access/access.ts";
import type { ManagementDependencies } from "../access/dependencies.ts";
import {
  insertThemeTemplate,
  type ThemeTemplatePlace,
  type ThemeTemplateRow,
  themeTemplateRows,
  updateThemeTemplate,
} from "./theme-templates.sql.ts";

type Theme = ThemeTemplateRow["theme"];

/** Returns a workspace's theme templates, newest first. GUESTs have no access to any operation on theme templates. */
export async function listThemeTemplates(
  deps: ManagementDependencies,
  caller: Caller,
  workspaceId: string,
  request: PageRequest,
) {
  await requireWorkspace(deps, caller, workspaceId, "work");
  const page = readPage("theme-templates", request, [workspaceId]);
  const found = await themeTemplateRows.list(deps.sql, { ownerId: workspaceId, ...page.part });
  const { rows: themeTemplates, ...rest } = cutPage({ rows: found, page });
  return { themeTemplates, ...rest };
}

export async function getThemeTemplate(
  deps: ManagementDependencies,
  caller: Caller,
  place: ThemeTemplatePlace,
): Promise<ThemeTemplateRow> {
  await requireWorkspace(deps, caller, place.workspaceId, "work");
  const row = isId(place.id) ? await themeTemplateRows.find(deps.sql, keyOf(place)) : undefined;
  if (!row) throw new AppError("theme_template.not_found");
  return row;
}

/** Stores a theme. Throws `theme_template.too_many` if the workspace has the maximum number of themes. */
export async function createThemeTemplate(
  deps: ManagementDependencies,
  caller: Caller,
  { workspaceId, name, theme }: { workspaceId: string; name: string; theme: Theme },
): Promise<ThemeTemplateRow> {
  await requireWorkspace(deps, caller, workspaceId, "work", { isFilled: true });
  requireTheme(theme);
  const most = limits.themeTemplates.perWorkspace;
  const row = await insertThemeTemplate(deps.sql, { id: newId(), workspaceId, name, theme }, { most });
  if (!row) throw new AppError("theme_template.too_many", { data: { most } });
  return row;
}

/**
 * Writes the given fields and retains all others. Bots that use the theme do not change. Throws
 * `theme_template.not_found`.
 */
export async function updateTemplate(
  deps: ManagementDependencies,
  caller: Caller,
  place: ThemeTemplatePlace,
  changes: { name?: string | undefined; theme?: Theme | undefined },
): Promise<ThemeTemplateRow> {
  await requireWorkspace(deps, caller, place.workspaceId, "work");
  if (changes.theme) requireTheme(changes.theme);
  const row = isId(place.id) ? await updateThemeTemplate(deps.sql, place, changes) : undefined;
  if (!row) throw new AppError("theme_template.not_found");
  return row;
}

/** Saves a theme for existing clients: changes the theme with this id, or creates a theme with a new id. */
export async function saveThemeTemplate(
  deps: ManagementDependencies,
  caller: Caller,
  place: ThemeTemplatePlace,
  template: { name: string; theme: Theme },
): Promise<ThemeTemplateRow> {
  try {
    return await updateTemplate(deps, caller, place, template);
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== "theme_template.not_found") throw error;
    return await createThemeTemplate(deps, caller, { workspaceId: place.workspaceId, ...template });
  }
}

export async function deleteThemeTemplate(
  deps: ManagementDependencies,
  caller: Caller,
  place: ThemeTemplatePlace,
): Promise<ThemeTemplateRow> {
  await requireWorkspace(deps, caller, place.workspaceId, "work");
  const row = isId(place.id) ? await themeTemplateRows.remove(deps.sql, keyOf(place)) : undefined;
  if (!row) throw new AppError("theme_template.not_found");
  return row;
}

function keyOf({ workspaceId, id }: ThemeTemplatePlace) {
  return { ownerId: workspaceId, key: id };
}

function requireTheme(theme: Theme): void {
  checkTheme(theme, "theme");
  const most = limits.themeTemplates.bytes;
  if (Buffer.byteLength(JSON.stringify(theme)) <= most) return;
  throw invalidInput([{ path: "theme", message: `must be at most ${most} bytes of JSON` }]);
}
