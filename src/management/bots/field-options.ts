import { blocks } from "../../core/blocks/index.ts";
import { credentialsKinds } from "../../core/credentials/index.ts";
import { type FlowBlock, textAt } from "../../core/interpreter/flow.ts";
import { parseJsonOr } from "../../core/interpreter/language/json.ts";
import type { CallReport } from "../../core/interpreter/program/call.ts";
import type { RemoteField, RemoteOption } from "../../core/interpreter/program/remote-field.ts";
import { callService, type ServiceCall } from "../../effects/providers/service-call.ts";
import { noHops } from "../../effects/safe-fetch/hops.ts";
import { AppError } from "../../errors.ts";
import { limits } from "../../limits/index.ts";
import { type Caller, requireBot } from "../access/access.ts";
import type { ManagementDependencies } from "../access/dependencies.ts";
import { credentialsOfStep } from "../credentials/credentials-of-step.ts";
import { findBot } from "./bots.sql.ts";

/** The options of a field, or the reason why there are none. */
export type FieldOptions = {
  readonly options: RemoteOption[];
  /** Whether the service has more. */
  readonly isCut: boolean;
  /** `message` is a sentence. `field`: the option that has to be filled in first. */
  readonly problem: { reason: Reason; message: string; field: string | null } | null;
};

type Reason = "credentials" | "missing" | "failed";

/** Asks the service of a draft's block what a field of it can hold, by its path below `options` without positions in lists. */
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
  // Servers elsewhere take their time.
  caller.place.end();
  return ask(deps, { remote, block, workspaceId, call: { kind, data, retries: 0 } });
}

type Asking = {
  readonly remote: RemoteField;
  readonly block: FlowBlock;
  readonly workspaceId: string | null;
  readonly call: Pick<ServiceCall, "kind" | "data" | "retries">;
};

async function ask(deps: ManagementDependencies, { remote, block, workspaceId, call }: Asking): Promise<FieldOptions> {
  const answers: unknown[] = [];
  const deadline = performance.now() + limits.credentials.timeoutMs;
  for (let count = 0; count <= limits.credentials.optionCalls; count++) {
    const step = remote.next(block, answers);
    if ("missing" in step) return problem("missing", "Another field has to be filled in first.", step.missing);
    if ("unreadable" in step) return problem("failed", "The service's answer could not be read.");
    if ("options" in step) return offered(step.options);
    const timeoutMs = deadline - performance.now();
    if (timeoutMs <= 0) return problem("failed", "The service took too long.");
    const report = await callService(
      { ...call, request: step.ask, timeoutMs },
      { safeFetch: deps.safeFetch, providers: deps.providers, hops: { ...noHops, workspaceId } },
    );
    const failure = failureOf(report);
    if (failure !== undefined) return problem("failed", failure);
    answers.push("text" in report ? parseJsonOr(report.text, undefined) : undefined);
  }
  return problem("failed", "The service has too many of them to be listed.");
}

/** The field of this path; own ones alone, since callers name it. */
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

/** Why there is no answer, in one sentence; undefined for an answer with success. */
function failureOf(report: CallReport): string | undefined {
  if ("failure" in report) {
    const { reason, details } = report.failure;
    const said = {
      time: "The service took too long.",
      unreachable: "The service did not answer.",
      busy: "Too many calls are under way.",
    };
    return (
      Object.entries(said).find(([name]) => name === reason)?.[1] ??
      `The service could not be asked: ${details ?? reason}.`
    );
  }
  const { status, sentence } = report;
  if (status >= 200 && status < 300) return undefined;
  return `The service answered with status ${status}${sentence ? `: ${sentence}` : ""}.`.replace(/\.\.$/, ".");
}
