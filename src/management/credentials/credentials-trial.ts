import type { CredentialsData } from "../../core/credentials/kind.ts";
import { isPublicAddress, readAllowedHosts } from "../../core/flow/outgoing-rules.ts";
import { createAccessTokens } from "../../effects/google/access-tokens.ts";
import { accountOf } from "../../effects/google/google-account.ts";
import { createGoogleSend } from "../../effects/google/google-origins.ts";
import { type MailServerRules, tryMailServer } from "../../effects/mail/workspace-mail.ts";
import { askProvider, readModels } from "../../effects/models/ask-provider.ts";
import { placeOf } from "../../effects/models/model-server.ts";
import { callService } from "../../effects/providers/service-call.ts";
import { noHops } from "../../effects/safe-fetch/hops.ts";
import { AppError } from "../../errors.ts";
import { limits } from "../../limits/index.ts";
import type { Caller } from "../access/access.ts";
import type { ManagementDependencies } from "../access/dependencies.ts";
import { type CredentialsPlace, noteUse } from "./credentials.sql.ts";
import { type OpenCredentials, openCredentials } from "./credentials.ts";
import { forgetProblem } from "./credentials-use.sql.ts";
import { scopesOf } from "./google-accounts.ts";

/** The result of a test of credentials at their service. */
export type Trial = {
  /** Null if the service has no request that tests credentials. */
  readonly isAccepted: boolean | null;
  /** The HTTP status of the service's response; null if there was no HTTP response. */
  readonly status: number | null;
  readonly message: string;
};

/**
 * Tests credentials at their service with a request that costs nothing. Clears the recorded problem if the service
 * accepts them.
 */
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
  const { kind, data, row } = opened;
  const { trial, provider } = kind;
  if (!trial) {
    const answer = await ask(deps, opened, provider?.trialUrl(data) ?? "");
    return outcomeOf(answer.status, "problem" in answer ? answer.problem : undefined, "The provider");
  }
  switch (trial.kind) {
    case "none":
      return { isAccepted: null, status: null, message: trial.why };
    case "mail":
      return outcomeOf(null, await tryMailServer(data, mailServerRules(deps)), "The mail server");
    case "google":
      return tryGoogle(deps, opened);
    case "call": {
      const request = { method: "GET", path: trial.path, ...(trial.query && { query: trial.query }) } as const;
      const call = { kind, data, request, retries: 0, timeoutMs: limits.credentials.timeoutMs };
      const hops = { ...noHops, workspaceId: row.workspaceId };
      const report = await callService(call, { ...deps, hops });
      if ("failure" in report) return outcomeOf(null, report.failure.details ?? noAnswer, kind.name);
      const { status, sentence = "" } = report;
      const isSuccess = status >= 200 && status < 300;
      return outcomeOf(
        status,
        isSuccess ? undefined : `The server responded with status ${status}${sentence && `: ${sentence}`}`,
        kind.name,
      );
    }
  }
}

/** Requests a token for the account from Google and discards it. */
async function tryGoogle(deps: ManagementDependencies, { kind, data, row }: OpenCredentials): Promise<Trial> {
  const account = accountOf(data, deps.google.client);
  if (!account) return outcomeOf(null, "No Google account is connected", "Google");
  const send = createGoogleSend({
    ...{ safeFetch: deps.safeFetch, providers: deps.providers, hops: { ...noHops, workspaceId: row.workspaceId } },
    timeLeftMs: () => limits.credentials.timeoutMs,
  });
  const scope = scopesOf({ for: kind.type === "gmail" ? "gmail" : "google sheets" }).join(" ");
  // Does not use the cached access tokens of the process, because they may have been issued before access to the
  // account was lost.
  const answer = await createAccessTokens({ clock: deps.clock }).get({ account, scope }, send);
  if ("token" in answer) return outcomeOf(200, undefined, "Google");
  return outcomeOf(answer.status ?? null, answer.details ?? noAnswer, "Google");
}

const noAnswer = "The server did not respond";

function outcomeOf(status: number | null, problem: string | undefined, who: string): Trial {
  if (problem !== undefined) return { isAccepted: false, status, message: problem };
  return { isAccepted: true, status, message: `${who} accepts these credentials.` };
}

/**
 * Returns the names of the models that a provider offers for these credentials, in the provider's order. Throws
 * `credentials.no_models` if the service has no models, and `credentials.provider_failed` if the request fails.
 */
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
  // Releases the slot at the database, because the other server may respond slowly.
  caller.place.end();
  return opened;
}

function ask({ safeFetch, providers }: ManagementDependencies, { row, kind, data }: OpenCredentials, url: string) {
  return askProvider(safeFetch, {
    ...placeOf(kind, url, providers),
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
