import { type TObject, Type } from "@sinclair/typebox";
import type { readBaseUrl } from "./base-url.ts";
import { address, key } from "./members.ts";

/** The members of credentials, as they are sealed. */
export type CredentialsData = Readonly<Record<string, unknown>>;

/** A kind of credentials with all of its particular properties. */
export type CredentialsKind = {
  readonly type: string;
  /** The name of the service. */
  readonly name: string;
  /** One sentence for the documentation and for forms. */
  readonly summary: string;
  /** The page of `docs/` that explains how to get the credentials. */
  readonly page: string;
  /** All members, with titles and marks for forms. */
  readonly schema: TObject;
  /** Members that can be written but never read. */
  readonly secretMembers: readonly string[];
  /** Members that are addresses of servers. */
  readonly addressMembers?: readonly string[];
  /** Reads an address member that is more than the base of an API: see `readBaseUrl`. */
  readonly readAddress?: typeof readBaseUrl;
  /** Members in their stored form, if people have them in another form. */
  tidied?(data: CredentialsData): CredentialsData;
  /** The member that needs another one, as the end of a sentence, if the schema alone does not decide. */
  problem?(data: CredentialsData): { readonly member: string; readonly message: string } | undefined;
  /**
   * The address that the secret members are sent to. A secret is only ever sent to the address that it was entered for.
   */
  destination(data: CredentialsData): string;
  /**
   * The name by which PROVIDER_URLS may move the server of these credentials; for a service the name is in `service`.
   */
  readonly serverName?: string;
  /** How the credentials are tried. Absent: by the `trialUrl` of their provider. */
  readonly trial?: CredentialsTrial;
  /** Fields that only providers of models have. */
  readonly provider?: ModelProvider;
  /** Fields that only services have which blocks call with their own requests. */
  readonly service?: Service;
};

/** A request that costs nothing and that a service answers only for valid credentials. */
export type CredentialsTrial =
  /** A GET below the address of the service. */
  | {
      readonly kind: "call";
      readonly path: string;
      readonly query?: Query;
    }
  /** A login at a mail server. */
  | { readonly kind: "mail" }
  /** A token of Google. */
  | { readonly kind: "google" }
  /** The service offers no such request: `why` is a sentence. */
  | { readonly kind: "none"; readonly why: string };

/** How a service is called. */
export type Service = {
  /** The name by which the operator may move the service to another origin. */
  readonly name: string;
  /** Whether the service bills each call: after a crash a call is not repeated if its report was stored. */
  readonly isBilled: boolean;
  /** The provider's own address, without a slash at the end; absent if each customer has one. */
  readonly ownUrl?: string;
  /**
   * The address of the service's API, without a slash at the end: the credentials' own, or the provider's. A key is
   * sent only to this address.
   */
  baseUrl(data: CredentialsData): string;
  /**
   * The whole address for a request's query, if the credentials contain more of it than its base; undefined if it leads
   * to another address.
   */
  addressOf?(data: CredentialsData, query: Query): URL | undefined;
  /** The parts that sign a request. */
  sign(data: CredentialsData): Signature;
  /** Headers of answers that blocks read, in lower case. */
  readonly answerHeaders?: readonly string[];
};

type Query = readonly (readonly [name: string, value: string])[];

/** Secret parts of a request: headers, parameters of its address, members of its JSON body. */
export type Signature = {
  readonly headers?: readonly (readonly [name: string, value: string])[];
  readonly query?: Query;
  readonly body?: Readonly<Record<string, unknown>>;
};

/** How a provider of models is called. */
export type ModelProvider = {
  /** The address of the provider's API, without a slash at the end: the credentials' own, or the provider's. */
  baseUrl(data: CredentialsData): string;
  /** The header with the key. */
  headers(data: CredentialsData): readonly (readonly [name: string, value: string])[];
  /** An address whose requests cost nothing and are accepted only with a valid key. */
  trialUrl(data: CredentialsData): string;
  /** The address of the list of models; undefined if there is no list. */
  modelsUrl(data: CredentialsData): string | undefined;
};

type ProviderSpec = {
  readonly type: string;
  readonly name: string;
  readonly summary: string;
  /** The provider's own address. */
  readonly baseUrl: string;
  /** Whether credentials may name another server with the same API. */
  readonly takesBaseUrl: boolean;
  /** The header with the key, unless it is `Authorization: Bearer`. */
  headersOf?(key: string, baseUrl: string): ReturnType<ModelProvider["headers"]>;
  /** Below the address, if the provider's path differs from `/models`. */
  readonly trialPath?: string;
  /** The whole list in one answer, below the provider's own address; null if there is no list. */
  readonly modelsPath?: string | null;
  /** Addresses of servers that list their models at another address. */
  otherModelsUrl?(baseUrl: string): string | undefined;
};

/** The credentials of a provider of models: a key, and for some providers the address of another server. */
export function defineProvider(spec: ProviderSpec): CredentialsKind {
  const { type, name, summary, takesBaseUrl, trialPath = "/models", modelsPath = "/models" } = spec;
  const baseUrl = (data: CredentialsData): string => textIn(data, "baseUrl") ?? spec.baseUrl;
  const isOwn = (data: CredentialsData): boolean => baseUrl(data) === spec.baseUrl;
  const elsewhere = (data: CredentialsData): string =>
    spec.otherModelsUrl?.(baseUrl(data)) ?? `${baseUrl(data)}/models`;
  return {
    ...{ type, name, summary, page: "models.md" },
    schema: Type.Object({ apiKey: key(), ...(takesBaseUrl && { baseUrl: Type.Optional(baseUrlOf(spec)) }) }),
    secretMembers: ["apiKey"],
    addressMembers: takesBaseUrl ? ["baseUrl"] : [],
    destination: (data) => new URL(baseUrl(data)).origin,
    provider: {
      baseUrl,
      headers(data) {
        const key = textIn(data, "apiKey") ?? "";
        return spec.headersOf?.(key, baseUrl(data)) ?? [["Authorization", `Bearer ${key}`]];
      },
      trialUrl: (data) => (isOwn(data) ? `${spec.baseUrl}${trialPath}` : elsewhere(data)),
      modelsUrl(data) {
        if (!isOwn(data)) return elsewhere(data);
        return modelsPath === null ? undefined : `${spec.baseUrl}${modelsPath}`;
      },
    },
  };
}

function baseUrlOf({ baseUrl }: ProviderSpec) {
  return address({
    title: "Address of the API",
    description: "Another server with the same API, such as your own. Absent: the provider's.",
    help: "Another server with the same API, such as your own.",
    default: baseUrl,
    isAdvanced: true,
  });
}

/** A text member, unless it is empty. */
export function textIn(data: CredentialsData, member: string): string | undefined {
  const value = data[member];
  return typeof value === "string" && value !== "" ? value : undefined;
}
