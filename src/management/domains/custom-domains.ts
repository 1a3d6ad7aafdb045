import { randomBytes } from "node:crypto";
import { AppError } from "../../errors.ts";
import { limits } from "../../limits/index.ts";
import { cutPage, type PageRequest, readPage } from "../../platform/http/requests/cursor.ts";
import { invalidInput } from "../../platform/http/requests/invalid-input.ts";
import { isId, newId } from "../../platform/ids.ts";
import { type Caller, requireWorkspace } from "../access/access.ts";
import type { ManagementDependencies } from "../access/dependencies.ts";
import { hostIssues } from "../access/public-addresses.ts";
import { checkDomain } from "./custom-domain-checks.ts";
import { adviceFor } from "./custom-domain-notices.ts";
import { servedUntil } from "./custom-domain-states.ts";
import {
  type CustomDomainPlace,
  type CustomDomainRow,
  claimCustomDomain,
  customDomainRows,
  type DomainHome,
  deleteCustomDomain as deleteRow,
  findDomainHome,
  findVerifiedDomain,
} from "./custom-domains.sql.ts";
import type { DomainDependencies } from "./dependencies.ts";
import { placesOfProof } from "./domain-proof.ts";

/** A claim in the API's format. */
export type CustomDomainView = Pick<
  CustomDomainRow,
  | "id"
  | "workspaceId"
  | "name"
  | "state"
  | "provedBy"
  | "problem"
  | "verifiedAt"
  | "checkedAt"
  | "createdAt"
  | "updatedAt"
> & {
  readonly proof: ReturnType<typeof placesOfProof>;
  readonly servedUntil: Date | null;
  /** The advice; null if no action is needed. */
  readonly advice: string | null;
};

/** Returns the domains that a workspace has claimed, newest first. GUESTs have no access. */
export async function listCustomDomains(
  deps: ManagementDependencies,
  caller: Caller,
  workspaceId: string,
  request: PageRequest,
) {
  await requireWorkspace(deps, caller, workspaceId, "work");
  const page = readPage("custom-domains", request, [workspaceId]);
  const rows = await customDomainRows.list(deps.sql, { ownerId: workspaceId, ...page.part });
  const { rows: customDomains, ...rest } = cutPage({ rows, page });
  return { customDomains: customDomains.map(viewDomain), ...rest };
}

/** Claims a domain for a workspace. An existing claim does not change. */
export async function createCustomDomain(
  deps: ManagementDependencies,
  caller: Caller,
  workspaceId: string,
  name: string,
): Promise<CustomDomainView> {
  await requireWorkspace(deps, caller, workspaceId, "work", { isFilled: true });
  return viewDomain(await claimDomain(deps, workspaceId, readHost(name)));
}

/** Claims a domain without checking rights. Setting a bot's domain claims the domain for the bot's workspace. */
export async function claimDomain(
  deps: ManagementDependencies,
  workspaceId: string,
  name: string,
): Promise<CustomDomainRow> {
  const most = limits.customDomains.perWorkspace;
  const claim = { id: newId(), workspaceId, name, proof: randomBytes(16).toString("hex") };
  const row = await claimCustomDomain(deps.sql, claim, { most });
  if (!row) throw new AppError("custom_domain.too_many", { data: { most } });
  return row;
}

export async function getCustomDomain(
  deps: ManagementDependencies,
  caller: Caller,
  place: CustomDomainPlace,
): Promise<CustomDomainView> {
  return viewDomain(await findClaim(deps, caller, place));
}

/**
 * Checks the proof immediately. If the proof is missing, a failed claim becomes pending, so that it is checked
 * automatically again.
 */
export async function verifyCustomDomain(
  deps: DomainDependencies,
  caller: Caller,
  place: CustomDomainPlace,
): Promise<CustomDomainView> {
  const before = await findClaim(deps, caller, place);
  // Releases the slot at the database, because other servers may respond slowly.
  caller.place.end();
  const after =
    (await checkDomain(deps, before, { isAsked: true })) ?? (await customDomainRows.find(deps.sql, keyOf(place)));
  if (!after) throw new AppError("custom_domain.not_found");
  return viewDomain(after);
}

/** Deletes a claim to a domain. The workspace's bots at this domain remain available at their public ids. */
export async function deleteCustomDomain(
  deps: ManagementDependencies,
  caller: Caller,
  place: CustomDomainPlace,
): Promise<CustomDomainView> {
  await requireWorkspace(deps, caller, place.workspaceId, "work");
  const gone = isId(place.customDomainId) ? await deleteRow(deps.sql, place) : undefined;
  if (!gone) throw new AppError("custom_domain.not_found");
  return viewDomain(gone);
}

/**
 * Throws `custom_domain.not_found` unless a workspace has verified this domain. Proxies use this check to request
 * certificates only for such domains.
 */
export async function requireAllowedDomain(deps: ManagementDependencies, name: string): Promise<{ domain: string }> {
  const domain = name.toLowerCase();
  const isHost = hostIssues(domain, "domain").length === 0;
  if (!isHost || !(await findVerifiedDomain(deps.sql, domain))) throw new AppError("custom_domain.not_found");
  return { domain };
}

/**
 * Returns the workspace of a verified domain, and the bot at this path; undefined if no workspace has verified the
 * domain.
 */
export async function domainHome(
  deps: ManagementDependencies,
  host: string,
  path: string,
): Promise<DomainHome | undefined> {
  const place = { host: host.replace(/:\d+$/, ""), path: path.replace(/\/+$/, "") };
  const isPlausible = place.host.includes(".") && `${place.host}${path}`.length <= limits.fields.customDomainCharacters;
  return isPlausible ? await findDomainHome(deps.sql, place) : undefined;
}

/**
 * Whether a host is a workspace's verified domain and not the service's own host. Always false without PUBLIC_URL,
 * because the service's own host is then unknown.
 */
export async function isDomainOfBots(
  { sql, config }: Pick<ManagementDependencies, "sql" | "config">,
  host: string,
): Promise<boolean> {
  const [name = ""] = host.split(":", 1);
  if (config.PUBLIC_URL === undefined || new URL(config.PUBLIC_URL).hostname === name) return false;
  return hostIssues(name, "host").length === 0 && (await findVerifiedDomain(sql, name)) !== undefined;
}

async function findClaim(
  deps: ManagementDependencies,
  caller: Caller,
  place: CustomDomainPlace,
): Promise<CustomDomainRow> {
  await requireWorkspace(deps, caller, place.workspaceId, "work");
  const row = isId(place.customDomainId) ? await customDomainRows.find(deps.sql, keyOf(place)) : undefined;
  if (!row) throw new AppError("custom_domain.not_found");
  return row;
}

function readHost(name: string): string {
  const issues = hostIssues(name, "name");
  if (issues.length > 0) throw invalidInput(issues);
  return name.toLowerCase();
}

function viewDomain(row: CustomDomainRow): CustomDomainView {
  const { proof: _, unprovedSince: __, ...shown } = row;
  return { ...shown, proof: placesOfProof(row), servedUntil: servedUntil(row), advice: adviceFor(row) };
}

function keyOf({ workspaceId, customDomainId }: CustomDomainPlace) {
  return { ownerId: workspaceId, key: customDomainId };
}
