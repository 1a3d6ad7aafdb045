import { secretNumber } from "../../core/interpreter/language/secret-tokens.ts";
import type { SecretValue, StepSecrets } from "../../effects/secret-values.ts";
import { AppError } from "../../errors.ts";
import { limits } from "../../limits/index.ts";
import { cutPage, type PageRequest, readPage } from "../../platform/http/requests/cursor.ts";
import { invalidInput } from "../../platform/http/requests/invalid-input.ts";
import { newId } from "../../platform/ids.ts";
import { secretPlace } from "../../platform/secrets.ts";
import { type Caller, requireWorkspace } from "../access/access.ts";
import type { ManagementDependencies } from "../access/dependencies.ts";
import { requireUnused } from "../access/flow-users.ts";
import { insertSecret, type SecretPlace, type SecretRow, secretRows, updateSecret, useSecrets } from "./secrets.sql.ts";

/** A secret in the API's format, without its value. */
export type SecretView = Omit<SecretRow, "id" | "sealed"> & {
  /** False if no key of this instance decrypts the secret. */
  readonly isReadable: boolean;
};

export type SecretInput = {
  readonly value?: string;
  readonly hosts?: readonly string[] | null;
  readonly note?: string | null;
};

/** The maximum number of attempts. An attempt fails only if another request changes the same secret. */
const tries = 5;

/** Returns a workspace's secrets without their values, newest first. GUESTs have no access. */
export async function listSecrets(
  deps: ManagementDependencies,
  caller: Caller,
  workspaceId: string,
  request: PageRequest,
) {
  await requireWorkspace(deps, caller, workspaceId, "work");
  const page = readPage("secrets", request, [workspaceId]);
  const rows = await secretRows.list(deps.sql, { ownerId: workspaceId, ...page.part });
  const { rows: shown, ...rest } = cutPage({ rows, page });
  return { secrets: await Promise.all(shown.map((row) => viewOf(deps, row))), ...rest };
}

export async function getSecret(deps: ManagementDependencies, caller: Caller, place: SecretPlace): Promise<SecretView> {
  await requireWorkspace(deps, caller, place.workspaceId, "work");
  const row = await secretRows.find(deps.sql, keyOf(place));
  if (!row) throw new AppError("secret.not_found");
  return viewOf(deps, row);
}

/**
 * Creates or replaces a secret. Without a value, the stored value stays, unless the change would allow further hosts.
 * In this case the value must be sent again, because a person who adds a host could read the value there.
 */
export async function putSecret(
  deps: ManagementDependencies,
  caller: Caller,
  place: SecretPlace,
  { value, hosts: named = null, note = null }: SecretInput,
): Promise<SecretView> {
  await requireWorkspace(deps, caller, place.workspaceId, "work", { isFilled: true });
  const hosts = named && [...new Set(named.map((host) => host.toLowerCase()))];
  const most = limits.secrets.perWorkspace;
  for (let attempt = 0; attempt < tries; attempt++) {
    const before = await secretRows.find(deps.sql, keyOf(place));
    if (value === undefined) requireKept(before, hosts);
    const id = before?.id ?? newId();
    const sealed = value === undefined ? before?.sealed : await deps.secrets.seal(value, secretPlace(id));
    if (sealed === undefined) continue;
    const next = { sealed, hosts, note };
    const row = before
      ? await updateSecret(deps.sql, before, next)
      : await insertSecret(deps.sql, { ...place, ...next, id }, { most });
    if (row) return viewOf(deps, row);
    const isFull = !before && !(await secretRows.find(deps.sql, keyOf(place)));
    if (isFull) throw new AppError("secret.too_many", { data: { most } });
  }
  throw new AppError("server.overloaded");
}

/**
 * Deletes a secret. Throws `secret.in_use` if the published version or canary of a bot uses it, unless `isForced` is
 * set.
 */
export async function deleteSecret(
  deps: ManagementDependencies,
  caller: Caller,
  place: SecretPlace,
  { isForced }: { isForced: boolean },
): Promise<SecretView> {
  const { workspaceId, name } = place;
  await getSecret(deps, caller, place);
  if (!isForced) await requireUnused(deps.sql, { workspaceId, text: `{{secret.${name}}}` }, "secret.in_use");
  const row = await secretRows.remove(deps.sql, keyOf(place));
  if (!row) throw new AppError("secret.not_found");
  return viewOf(deps, row);
}

/**
 * Gives a step access to the secrets of its workspace, which are read when an outgoing request contains their tokens.
 */
export function secretsOfStep(
  { sql, secrets }: Pick<ManagementDependencies, "sql" | "secrets">,
  { workspaceId, seed }: { workspaceId: string | null; seed: string },
): StepSecrets {
  return {
    number: secretNumber(seed),
    async find(names) {
      if (workspaceId === null) return new Map();
      const rows = await useSecrets(sql, { workspaceId, names });
      const values = rows.map(async ({ id, name, sealed, hosts }): Promise<[string, SecretValue]> => {
        return [name, { value: await secrets.open(sealed, secretPlace(id)), hosts }];
      });
      return new Map(await Promise.all(values));
    },
  };
}

function keyOf({ workspaceId, name }: SecretPlace) {
  return { ownerId: workspaceId, key: name };
}

function requireKept(before: SecretRow | undefined, hosts: readonly string[] | null): void {
  if (!before) throw invalidInput([{ path: "value", message: "is required" }]);
  const { hosts: old } = before;
  const isNarrower = old === null || (hosts?.every((host) => old.includes(host)) ?? false);
  if (isNarrower) return;
  const message = "must be sent again, because it may only be sent to the hosts for which it was entered";
  throw invalidInput([{ path: "value", message }]);
}

async function viewOf({ secrets }: ManagementDependencies, { id, sealed, ...row }: SecretRow): Promise<SecretView> {
  return { ...row, isReadable: (await secrets.open(sealed, secretPlace(id))) !== undefined };
}
