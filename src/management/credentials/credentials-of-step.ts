import type { CredentialsData } from "../../core/credentials/kind.ts";
import { isJsonObject } from "../../core/interpreter/flow.ts";
import { parseJsonOr } from "../../core/interpreter/language/json.ts";
import type { StepCredentials } from "../../effects/step-credentials.ts";
import { limits } from "../../limits/index.ts";
import { isId } from "../../platform/ids.ts";
import { credentialsPlace } from "../../platform/secrets.ts";
import type { ManagementDependencies } from "../access/dependencies.ts";
import { credentialsRows, findCredentials, noteUse } from "./credentials.sql.ts";
import { noteProblem } from "./credentials-use.sql.ts";

/**
 * Returns decrypted credentials of any workspace, without checking rights. Undefined if no credentials of this type
 * have this id, or if no key decrypts them.
 */
export async function credentialsOfAny(
  { sql, secrets }: Pick<ManagementDependencies, "sql" | "secrets">,
  { type, credentialsId }: { type: string; credentialsId: string },
): Promise<{ readonly workspaceId: string; readonly data: CredentialsData } | undefined> {
  const row = isId(credentialsId) ? await findCredentials(sql, credentialsId) : undefined;
  if (row?.type !== type) return undefined;
  const text = await secrets.open(row.sealed, credentialsPlace(credentialsId));
  const data = text === undefined ? undefined : parseJsonOr(text, undefined);
  return isJsonObject(data) ? { workspaceId: row.workspaceId, data } : undefined;
}

/** Gives a step access to the credentials of its workspace, which are decrypted when a call needs them. */
export function credentialsOfStep(
  { sql, secrets }: Pick<ManagementDependencies, "sql" | "secrets">,
  { workspaceId, isLive }: { workspaceId: string | null; isLive: boolean },
): StepCredentials {
  return {
    async find({ type, credentialsId }) {
      if (workspaceId === null || !isId(credentialsId)) return undefined;
      const row = await credentialsRows.find(sql, { ownerId: workspaceId, key: credentialsId });
      if (row?.type !== type) return undefined;
      const text = await secrets.open(row.sealed, credentialsPlace(credentialsId));
      const data = text === undefined ? undefined : parseJsonOr(text, undefined);
      return isJsonObject(data) ? data : "unreadable";
    },
    async noteUse({ credentialsId }) {
      if (workspaceId !== null) await noteUse(sql, { workspaceId, credentialsId });
    },
    async noteProblem({ credentialsId, problem }) {
      // In a preview, the problem is not recorded, because the author sees it immediately.
      if (workspaceId === null || !isLive || !isId(credentialsId)) return;
      const everySeconds = limits.credentials.problemSeconds;
      await noteProblem(sql, { workspaceId, credentialsId, problem, everySeconds });
    },
  };
}
