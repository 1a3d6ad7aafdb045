import type { Brand } from "../../core/interpreter/schemas/brand.ts";
import { AppError } from "../../errors.ts";
import { limits } from "../../limits/index.ts";
import { invalidInput } from "../../platform/http/requests/invalid-input.ts";
import { requireSeen, type Seen } from "../../platform/http/requests/seen.ts";
import { type Caller, requireWorkspace } from "../access/access.ts";
import type { ManagementDependencies } from "../access/dependencies.ts";
import { type BrandRow, findBrand, updateBrand } from "./brand.sql.ts";

/**
 * Returns the brand of a workspace; null if it has no brand. GUESTs also have access, because they edit themes of the
 * bots that are shared with them.
 */
export async function getBrand(deps: ManagementDependencies, caller: Caller, workspaceId: string): Promise<BrandRow> {
  await requireWorkspace(deps, caller, workspaceId, "see");
  return requireFound(await findBrand(deps.sql, workspaceId));
}

/** Writes the whole brand; null removes it. Bots do not change: each author must apply a new brand. */
export async function setBrand(
  deps: ManagementDependencies,
  caller: Caller,
  workspaceId: string,
  { brand, seen }: { brand: Brand | null; seen: Seen },
): Promise<BrandRow> {
  await requireWorkspace(deps, caller, workspaceId, "work", { isFilled: true });
  if (brand) requireBrand(brand);
  const written = await updateBrand(deps.sql, workspaceId, { brand, seen });
  if (written) return written;
  const current = requireFound(await findBrand(deps.sql, workspaceId));
  requireSeen(seen, current.updatedAt);
  throw new AppError("workspace.not_found");
}

function requireFound(found: BrandRow | undefined): BrandRow {
  if (!found) throw new AppError("workspace.not_found");
  return found;
}

/** Throws `request.invalid` if the brand breaks a rule that a schema cannot express. */
function requireBrand(brand: Brand): void {
  const names = (brand.colors ?? []).map(({ name }) => name);
  const twice = names.findIndex((name, index) => names.indexOf(name) !== index);
  if (twice !== -1) refuse(`brand.colors[${twice}].name`, "must not be the name of another colour");
  if (brand.main !== undefined && !names.includes(brand.main)) refuse("brand.main", "must be the name of a colour");
  if (Buffer.byteLength(JSON.stringify(brand)) > limits.brand.bytes)
    refuse("brand", `must be at most ${limits.brand.bytes} bytes of JSON`);
}

function refuse(path: string, message: string): never {
  throw invalidInput([{ path, message }]);
}
