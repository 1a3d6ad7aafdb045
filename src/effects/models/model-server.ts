import { readBaseUrl } from "../../core/credentials/base-url.ts";
import { credentialsKinds } from "../../core/credentials/index.ts";
import type { CredentialsData, CredentialsKind } from "../../core/credentials/kind.ts";
import { withoutKeys } from "../../core/credentials/without-keys.ts";
import type { ModelFailure } from "../../core/interpreter/program/model.ts";
import type { EffectContext } from "../effect-context.ts";
import { atProvider } from "../providers/provider-urls.ts";
import type { Trusted } from "../safe-fetch/safe-fetch.ts";

/** The server of a model, and the headers that contain the key. */
export type ModelServer = {
  readonly baseUrl: string;
  readonly headers: readonly (readonly [name: string, value: string])[];
  /** The API version, for Azure only. */
  readonly apiVersion?: string;
  /** The operator's list that contains the server. Defaults to MODEL_SERVERS. */
  readonly trusted?: Trusted;
  /** Values that must never appear in a report. */
  readonly keys: readonly string[];
};

/** The server as specified by an effect. */
export type ServerWanted = {
  readonly credentialsType: string;
  readonly credentialsId: string;
  readonly baseUrl?: string;
  readonly apiVersion?: string;
};

/**
 * Returns the URL and headers of a call, or the failure if the credentials are unusable. A key is sent only to the
 * origin of its own credentials. `takesService`: whether services without language models are allowed.
 */
export async function findServer(
  { credentialsType: type, credentialsId, baseUrl: wanted, apiVersion }: ServerWanted,
  { credentials, providers }: Pick<EffectContext, "credentials" | "providers">,
  { takesService = false } = {},
): Promise<ModelServer | { readonly failure: ModelFailure }> {
  const kind = credentialsKinds.get(type);
  const data = await credentials?.find({ type, credentialsId });
  const wire = kind?.provider ?? (takesService ? kind?.service : undefined);
  if (data === undefined || !kind || !wire) return { failure: { reason: "credentials" } };
  if (data === "unreadable") {
    return {
      failure: { reason: "credentials", details: "No key of this instance decrypts the credentials: enter them again" },
    };
  }
  const address = addressOf(kind, data, wanted);
  if ("problem" in address) return { failure: { reason: "address", details: address.problem } };
  await credentials?.noteUse({ credentialsId });
  const { url: given, trusted } = placeOf(kind, address.baseUrl, providers);
  return {
    baseUrl: given,
    ...(trusted && { trusted }),
    headers: "headers" in wire ? wire.headers(data) : (wire.sign(data).headers ?? []),
    ...(apiVersion !== undefined && { apiVersion }),
    keys: kind.secretMembers.flatMap((member) => (typeof data[member] === "string" ? [data[member]] : [])),
  };
}

/**
 * Returns the provider's URL, moved to the operator's origin for this provider, if any. Only a provider that is also
 * called as a service can be moved.
 */
export function placeOf(
  { service }: CredentialsKind,
  url: string,
  providers: EffectContext["providers"],
): ReturnType<typeof atProvider> {
  if (!service) return { url };
  const isOwn = service.ownUrl !== undefined && URL.parse(url)?.origin === URL.parse(service.ownUrl)?.origin;
  return atProvider(providers?.urls, { name: service.name, url, isOwn });
}

function addressOf(
  { type, provider, service, destination }: CredentialsKind,
  data: CredentialsData,
  wanted: string | undefined,
): { readonly baseUrl: string } | { readonly problem: string } {
  if (wanted === undefined) return { baseUrl: (provider ?? service)?.baseUrl(data) ?? "" };
  const read = readBaseUrl(wanted);
  if ("problem" in read) return { problem: `The base URL ${read.problem}` };
  const { origin } = new URL(read.baseUrl);
  if (origin === destination(data)) return read;
  return {
    problem: `The key is sent only to ${destination(data)}: create credentials of type "${type}" for ${origin}`,
  };
}

/** Removes anything that looks like a key from a failure. Also records the failure if the provider rejected the key. */
export async function noted(
  given: ModelFailure,
  {
    credentialsId,
    server,
    credentials,
  }: Pick<EffectContext, "credentials"> & { credentialsId: string; server: ModelServer },
): Promise<ModelFailure> {
  const failure = masked(given, server);
  const problem = failure.details || "The provider rejects the key";
  if (failure.reason === "key") await credentials?.noteProblem?.({ credentialsId, problem });
  return failure;
}

function masked({ details, ...failure }: ModelFailure, { keys }: Pick<ModelServer, "keys">): ModelFailure {
  return details ? { ...failure, details: withoutKeys(details, keys) } : failure;
}
