import { blocks } from "../../core/blocks/index.ts";
import { credentialsKinds } from "../../core/credentials/index.ts";
import { type FlowBlock, textAt } from "../../core/interpreter/flow.ts";
import type { RemoteField, RemoteOption } from "../../core/interpreter/program/remote-field.ts";
import { openService } from "../../effects/ask-service.ts";
import { noHops } from "../../effects/safe-fetch/hops.ts";
import { AppError } from "../../errors.ts";
import { limits } from "../../limits/index.ts";
import { type Caller, requireBot } from "../access/access.ts";
import type { ManagementDependencies } from "../access/dependencies.ts";
import { credentialsOfStep } from "../credentials/credentials-of-step.ts";
import { findBot } from "./bots.sql.ts";
import { findRecentValues } from "./recent-values.sql.ts";

/** The possible values of a field, or the reason why they could not be listed. */
export type FieldOptions = {
  readonly options: RemoteOption[];
  /** Whether the service has more options. */
  readonly isCut: boolean;
  /** `message` is a sentence. `field` is the option that must be filled in first; null if there is none. */
  readonly problem: { reason: Reason; message: string; field: string | null } | null;
};

type Reason = "credentials" | "missing" | "failed";

/**
 * Requests the possible values of a field from the service that a draft's block calls. The field is identified by its
 * path below `options`, without positions in lists. Throws `block.not_found` or `field.no_options`.
 */
export async function listFieldOptions(
  deps: ManagementDependencies,
  caller: Caller,
  { botId, blockId, field }: { botId: string; blockId: string; field: string },
): Promise<FieldOptions> {
  const { workspaceId } = await requireBot(deps, caller, botId, "write");
  const draft = await findBot(deps.sql, botId);
  const block = draft?.groups.flatMap(({ blocks: all }) => all ?? []).find(({ id }) => id === blockId);
  if (!block) throw new AppError("block.not_found");
  const remote = remoteFieldOf(block, field);
  if (!remote) throw new AppError("field.no_options");
  const credentialsId = textAt(block, "options", "credentialsId") ?? "";
  if (credentialsId === "") return problem("missing", "Choose credentials first.", "credentialsId");
  const kind = credentialsKinds.get(remote.credentialsType);
  const credentials = credentialsOfStep(deps, { workspaceId, isLive: false });
  const data = await credentials.find({ type: remote.credentialsType, credentialsId });
  if (!kind || data === undefined)
    return problem("credentials", "These credentials do not exist, or are of another type.");
  if (data === "unreadable") return problem("credentials", "No key of this instance decrypts these credentials.");
  await credentials.noteUse({ credentialsId });
  // Releases the slot at the database, because the other server may respond slowly.
  caller.place.end();
  const service = await openService(
    { kind, credentialsId, data, timeoutMs: limits.credentials.timeoutMs },
    { ...outgoingOf(deps), credentials, hops: { ...noHops, workspaceId } },
  );
  const recent = await recentOf(deps, caller, { workspaceId, type: block.type, option: remote.recent });
  return ask(service, remote, { block, recent });
}

function recentOf(
  { sql }: ManagementDependencies,
  { userId }: Caller,
  { option, ...place }: { workspaceId: string; type: string; option: string | undefined },
): Promise<readonly string[]> | readonly string[] {
  return option === undefined ? [] : findRecentValues(sql, { ...place, userId, option });
}

function outgoingOf({ safeFetch, providers, google }: ManagementDependencies) {
  return { safeFetch, providers, google };
}

async function ask(
  service: Awaited<ReturnType<typeof openService>>,
  remote: RemoteField,
  { block, recent }: { readonly block: FlowBlock; readonly recent: readonly string[] },
): Promise<FieldOptions> {
  const answers: unknown[] = [];
  for (let count = 0; count <= limits.credentials.optionCalls; count++) {
    const step = remote.next(block, answers, recent);
    if ("missing" in step) return problem("missing", "Fill in another field first.", step.missing);
    if ("options" in step) return offered(step.options);
    const answer = "ask" in step ? await service(step.ask) : { json: undefined };
    if ("ask" in step && step.mayFail && !("json" in answer && answer.json !== undefined)) {
      answers.push(null);
      continue;
    }
    if ("failure" in answer) return problem("failed", answer.failure);
    if (answer.json === undefined) return problem("failed", "The service's response could not be read.");
    answers.push(answer.json);
  }
  return problem("failed", "The service has too many options to list.");
}

/** Returns the field with this path, or undefined. Looks only at own properties, because callers choose the path. */
function remoteFieldOf({ type }: FlowBlock, field: string): RemoteField | undefined {
  const fields = blocks.get(type)?.remoteFields ?? {};
  return Object.hasOwn(fields, field) ? fields[field] : undefined;
}

function offered(all: readonly RemoteOption[]): FieldOptions {
  const most = limits.credentials.options;
  return { options: all.slice(0, most), isCut: all.length > most, problem: null };
}

function problem(reason: Reason, message: string, field: string | null = null): FieldOptions {
  return { options: [], isCut: false, problem: { reason, message, field } };
}
