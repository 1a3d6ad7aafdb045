import { Value } from "@sinclair/typebox/value";
import { readBaseUrl } from "../../core/credentials/base-url.ts";
import { credentialsKinds } from "../../core/credentials/index.ts";
import { type CredentialsData, type CredentialsKind, textIn } from "../../core/credentials/kind.ts";
import { isHint, maskedData } from "../../core/credentials/masked.ts";
import { readProviderUrls } from "../../core/flow/outgoing-rules.ts";
import { AppError } from "../../errors.ts";
import { limits } from "../../limits/index.ts";
import { cutPage, type PageRequest, readPage } from "../../platform/http/requests/cursor.ts";
import { type Issue, invalidInput } from "../../platform/http/requests/invalid-input.ts";
import { listIssues } from "../../platform/http/requests/issues.ts";
import { newId } from "../../platform/ids.ts";
import { credentialsPlace } from "../../platform/secrets.ts";
import { type Caller, requireWorkspace } from "../access/access.ts";
import type { ManagementDependencies } from "../access/dependencies.ts";
import type { FlowUser } from "../access/flow-users.sql.ts";
import { listFlowUsers, type NamedThing, requireUnused } from "../access/flow-users.ts";
import { outgoingProblem } from "../access/outgoing-addresses.ts";
import {
  type CredentialsPlace,
  type CredentialsRow,
  credentialsRows,
  insertCredentials,
  updateCredentials as updateRow,
} from "./credentials.sql.ts";

/** Credentials as listed, without their data. */
export type ListedCredentials = Omit<CredentialsRow, "sealed" | "hint" | "lastProblem" | "lastProblemAt"> & {
  /**
   * The provider's rejection of the credentials in a live chat; null if there was no rejection since the credentials
   * were changed or successfully tested.
   */
  readonly lastProblem: { readonly message: string; readonly at: Date } | null;
  /** False if no key of this instance decrypts the credentials. */
  readonly isReadable: boolean;
};

/**
 * Credentials in the API's format. For each secret, they contain only whether the secret is set, and its last
 * characters.
 */
export type CredentialsView = ListedCredentials & { readonly data: CredentialsData };

/** Credentials with their decrypted data. */
export type OpenCredentials = {
  readonly row: CredentialsRow;
  readonly kind: CredentialsKind;
  readonly data: CredentialsData;
};

export type NewCredentials = { readonly type: string; readonly name: string; readonly data: CredentialsData };
export type CredentialsChange = { readonly name?: string; readonly data?: CredentialsData };

/** The maximum number of attempts. An attempt fails only if another request changes the same credentials. */
const tries = 5;

/** Returns a workspace's credentials without their data, newest first. GUESTs have no access. */
export async function listCredentials(
  deps: ManagementDependencies,
  caller: Caller,
  workspaceId: string,
  request: PageRequest,
) {
  await requireWorkspace(deps, caller, workspaceId, "work");
  const page = readPage("credentials", request, [workspaceId]);
  const rows = await credentialsRows.list(deps.sql, { ownerId: workspaceId, ...page.part });
  const { rows: shown, ...rest } = cutPage({ rows, page });
  const credentials = await Promise.all(
    shown.map(async (row) => listed(row, (await openRow(deps, row)) !== undefined)),
  );
  return { credentials, ...rest };
}

/** Encrypts and stores credentials. Their secrets cannot be read again. Throws `credentials.too_many`. */
export async function createCredentials(
  deps: ManagementDependencies,
  caller: Caller,
  workspaceId: string,
  wanted: NewCredentials,
): Promise<CredentialsView> {
  await requireWorkspace(deps, caller, workspaceId, "work", { isFilled: true });
  const kind = kindOf(wanted.type);
  const data = checkedData(deps, kind, withoutNulls(wanted.data));
  const id = newId();
  const most = limits.credentials.perWorkspace;
  const row = await insertCredentials(
    deps.sql,
    {
      id,
      workspaceId,
      type: kind.type,
      name: wanted.name,
      sealed: await deps.secrets.seal(JSON.stringify(data), credentialsPlace(id)),
      hint: maskedData(kind, data),
    },
    { most },
  );
  if (!row) throw new AppError("credentials.too_many", { data: { most } });
  return viewOf(row, true);
}

export async function getCredentials(
  deps: ManagementDependencies,
  caller: Caller,
  place: CredentialsPlace,
): Promise<CredentialsView & { readonly usedBy: FlowUser[] }> {
  const row = await findForCaller(deps, caller, place);
  const usedBy = await listFlowUsers(deps.sql, named(place));
  return { ...viewOf(row, (await openRow(deps, row)) !== undefined), usedBy };
}

/**
 * Changes the given fields. Data is merged: a given member replaces the stored member, and null removes it. If a change
 * would send secrets to a new address, the secrets must be sent again. Otherwise the person who changes the address
 * could read the secrets at the new address.
 */
export async function updateCredentials(
  deps: ManagementDependencies,
  caller: Caller,
  place: CredentialsPlace,
  change: CredentialsChange,
): Promise<CredentialsView> {
  let row = await findForCaller(deps, caller, place);
  for (let attempt = 0; attempt < tries; attempt++) {
    const next = await changed(deps, row, change);
    const updated = await updateRow(deps.sql, row, { name: change.name ?? row.name, ...next });
    if (updated) return viewOf(updated, (await openRow(deps, updated)) !== undefined);
    row = await findForCaller(deps, caller, place);
  }
  throw new AppError("server.overloaded");
}

/**
 * Deletes credentials. Throws `credentials.in_use` if the published version or canary of a bot uses them, unless
 * `isForced` is set.
 */
export async function deleteCredentials(
  deps: ManagementDependencies,
  caller: Caller,
  place: CredentialsPlace,
  { isForced }: { isForced: boolean },
): Promise<CredentialsView> {
  await findForCaller(deps, caller, place);
  if (!isForced) await requireUnused(deps.sql, named(place), "credentials.in_use");
  const row = await credentialsRows.remove(deps.sql, keyOf(place));
  if (!row) throw new AppError("credentials.not_found");
  return viewOf(row, (await openRow(deps, row)) !== undefined);
}

/** Returns the workspace and the JSON text of the id, by which the flows that use the credentials are found. */
function named({ workspaceId, credentialsId }: CredentialsPlace): NamedThing {
  return { workspaceId, text: JSON.stringify(credentialsId) };
}

/**
 * Returns the credentials with their secrets for a call. Throws if the workspace has no such credentials, or if no key
 * decrypts them.
 */
export async function openCredentials(
  deps: ManagementDependencies,
  caller: Caller,
  place: CredentialsPlace,
): Promise<OpenCredentials> {
  const row = await findForCaller(deps, caller, place);
  const data = await openRow(deps, row);
  if (!data) throw new AppError("credentials.unreadable");
  return { row, kind: kindOf(row.type), data };
}

function keyOf({ workspaceId, credentialsId }: CredentialsPlace) {
  return { ownerId: workspaceId, key: credentialsId };
}

async function findForCaller(
  deps: ManagementDependencies,
  caller: Caller,
  place: CredentialsPlace,
): Promise<CredentialsRow> {
  await requireWorkspace(deps, caller, place.workspaceId, "work");
  const row = await credentialsRows.find(deps.sql, keyOf(place));
  if (!row) throw new AppError("credentials.not_found");
  return row;
}

type Sealed = Pick<CredentialsRow, "sealed" | "hint">;

async function changed(
  deps: ManagementDependencies,
  row: CredentialsRow,
  { data: given }: CredentialsChange,
): Promise<Sealed> {
  if (given === undefined) return { sealed: row.sealed, hint: row.hint };
  const kind = kindOf(row.type);
  const isWhole = kind.secretMembers.every((member) => given[member] !== undefined && !isHint(given[member]));
  const before = await openRow(deps, row);
  if (!before && !isWhole) throw new AppError("credentials.unreadable");
  const { secretMembers } = kind;
  const isKept = (member: string): boolean => secretMembers.includes(member) && isHint(given[member]);
  const news = Object.fromEntries(Object.entries(given).filter(([member]) => !isKept(member)));
  const known = before ?? withoutHints(row.hint);
  const data = checkedData(deps, kind, withoutNulls({ ...known, ...news }));
  if (before && kind.destination(before) !== kind.destination(data)) requireSecretsAnew(kind, { before, news });
  return {
    sealed: await deps.secrets.seal(JSON.stringify(data), credentialsPlace(row.id)),
    hint: maskedData(kind, data),
  };
}

function requireSecretsAnew(
  { secretMembers }: CredentialsKind,
  { before, news }: { before: CredentialsData; news: CredentialsData },
): void {
  const kept = secretMembers.filter((member) => before[member] !== undefined && news[member] === undefined);
  if (kept.length === 0) return;
  const message = "must be sent again, because it may only be sent to the address for which it was entered";
  throw invalidInput(kept.map((member) => ({ path: `data.${member}`, message })));
}

/**
 * Checks the given data, and returns the data to encrypt. Throws `request.invalid` for an unknown member, an invalid
 * value, or an address that may not be called.
 */
function checkedData(deps: ManagementDependencies, kind: CredentialsKind, raw: CredentialsData): CredentialsData {
  const given = kind.tidied?.(raw) ?? raw;
  const members = Object.keys(kind.schema.properties);
  const data = Object.fromEntries(members.flatMap((name) => (given[name] === undefined ? [] : [[name, given[name]]])));
  const strangers = Object.keys(given).filter((member) => !members.includes(member));
  requireNone([
    ...listIssues(Value.Errors(kind.schema, data), data),
    ...strangers.map((path) => ({ path, message: `is not a field of credentials of type "${kind.type}"` })),
  ]);
  const problem = kind.problem?.(data);
  if (problem) requireNone([{ path: problem.member, message: problem.message }]);
  const addresses = (kind.addressMembers ?? []).flatMap((member) => {
    const text = textIn(data, member);
    return text === undefined ? [] : [[member, readAddress(deps, kind, text)] as const];
  });
  requireNone(addresses.flatMap(([path, read]) => ("problem" in read ? [{ path, message: read.problem }] : [])));
  const read = addresses.map(([member, address]) => [member, "baseUrl" in address ? address.baseUrl : undefined]);
  return { ...data, ...Object.fromEntries(read) };
}

function readAddress(
  { config }: ManagementDependencies,
  { provider, service, serverName, readAddress: reader = readBaseUrl }: CredentialsKind,
  text: string,
) {
  const read = reader(text);
  if ("problem" in read) return read;
  // Accepts the address that the operator configured, which only calls of this kind may reach.
  const own = readProviderUrls(config.PROVIDER_URLS).get(service?.name ?? serverName ?? "");
  if (own !== undefined && own === URL.parse(read.baseUrl)?.origin) return read;
  const problem = outgoingProblem(config, read.baseUrl, { isForModels: provider !== undefined });
  return problem === undefined ? read : { problem };
}

function requireNone(issues: readonly Issue[]): void {
  if (issues.length > 0) throw invalidInput(issues.map(({ path, message }) => ({ path: `data.${path}`, message })));
}

function withoutNulls(data: CredentialsData): CredentialsData {
  return Object.fromEntries(Object.entries(data).filter(([, value]) => value !== null));
}

function withoutHints(hint: CredentialsData): CredentialsData {
  return Object.fromEntries(Object.entries(hint).filter(([, value]) => !isHint(value)));
}

async function openRow(
  { secrets }: ManagementDependencies,
  { id, sealed }: CredentialsRow,
): Promise<CredentialsData | undefined> {
  const text = await secrets.open(sealed, credentialsPlace(id));
  return text === undefined ? undefined : JSON.parse(text);
}

function listed(
  { sealed: _, hint: __, lastProblem: message, lastProblemAt: at, ...row }: CredentialsRow,
  isReadable: boolean,
): ListedCredentials {
  return { ...row, lastProblem: message === null || at === null ? null : { message, at }, isReadable };
}

function viewOf(row: CredentialsRow, isReadable: boolean): CredentialsView {
  return { ...listed(row, isReadable), data: row.hint };
}

/**
 * Returns the kind of a type. The type is always known, because the API validates types and no type is ever removed.
 */
function kindOf(type: string): CredentialsKind {
  const kind = credentialsKinds.get(type);
  if (!kind) throw new TypeError(`There are no credentials of type "${type}"`);
  return kind;
}
