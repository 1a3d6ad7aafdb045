import type { CredentialsData } from "../../core/credentials/kind.ts";
import { isPublicAddress, readAllowedHosts } from "../../core/flow/outgoing-rules.ts";
import { type MailServerRules, tryMailServer } from "../../effects/mail/workspace-mail.ts";
import { askProvider, readModels } from "../../effects/models/ask-provider.ts";
import { AppError } from "../../errors.ts";
import type { Caller } from "../access/access.ts";
import type { ManagementDependencies } from "../access/dependencies.ts";
import { type CredentialsPlace, noteUse } from "./credentials.sql.ts";
import { type OpenCredentials, openCredentials } from "./credentials.ts";
import { forgetProblem } from "./credentials-use.sql.ts";

/** The answer of a service to credentials. */
export type Trial = {
  readonly isAccepted: boolean;
  /** Its HTTP status, where it gave one. */
  readonly status: number | null;
  readonly message: string;
};

/** Tries credentials at their service, by something that costs nothing. */
export async function testCredentials(
  deps: ManagementDependencies,
  caller: Caller,
  place: CredentialsPlace,
): Promise<Trial> {
  const trial = await tryOut(deps, await openForCall(deps, caller, place));
  if (trial.isAccepted) await forgetProblem(deps.sql, place);
  return trial;
}

async function tryOut(deps: ManagementDependencies, opened: OpenCredentials): Promise<Trial> {
  const { kind, data } = opened;
  const { provider } = kind;
  if (!provider) {
    const problem = await tryMailServer(data, mailServerRules(deps));
    return {
      isAccepted: problem === undefined,
      status: null,
      message: problem ?? "The mail server accepts these credentials.",
    };
  }
  const answer = await ask(deps, opened, provider.trialUrl(data));
  if ("problem" in answer) return { isAccepted: false, status: answer.status, message: answer.problem };
  return { isAccepted: true, status: answer.status, message: "The provider accepts these credentials." };
}

/** The names of the models that a provider has for these credentials, in its own order. */
export async function listModels(
  deps: ManagementDependencies,
  caller: Caller,
  place: CredentialsPlace,
): Promise<string[]> {
  const opened = await openForCall(deps, caller, place);
  const url = opened.kind.provider?.modelsUrl(opened.data);
  if (url === undefined) throw new AppError("credentials.no_models");
  const answer = await ask(deps, opened, url);
  const models = "problem" in answer ? undefined : readModels(answer.text);
  if (models) return models;
  const message = "problem" in answer ? answer.problem : "The server's response is not a list of models";
  throw new AppError("credentials.provider_failed", { message, data: { status: answer.status } });
}

async function openForCall(
  deps: ManagementDependencies,
  caller: Caller,
  place: CredentialsPlace,
): Promise<OpenCredentials> {
  const opened = await openCredentials(deps, caller, place);
  await noteUse(deps.sql, place);
  // Servers elsewhere take their time.
  caller.place.end();
  return opened;
}

function ask({ safeFetch }: ManagementDependencies, { row, kind, data }: OpenCredentials, url: string) {
  return askProvider(safeFetch, {
    url,
    headers: kind.provider?.headers(data) ?? [],
    keys: secretsIn(kind.secretMembers, data),
    workspaceId: row.workspaceId,
  });
}

function mailServerRules({ config }: ManagementDependencies): MailServerRules {
  return { permits: isPublicAddress, allowedHosts: readAllowedHosts(config.OUTGOING_ALLOW) };
}

function secretsIn(members: readonly string[], data: CredentialsData): string[] {
  return members.flatMap((member) => (typeof data[member] === "string" ? [data[member]] : []));
}
