import { type TObject, Type } from "@sinclair/typebox";
import type { readBaseUrl } from "./base-url.ts";
import { address, key } from "./members.ts";

/** The members of credentials by name. */
export type CredentialsData = Readonly<Record<string, unknown>>;

export type CredentialsKind = {
  readonly type: string;
  /** The display name of the service. */
  readonly name: string;
  /** A one-sentence description for the documentation and forms. */
  readonly summary: string;
  /** The page in `docs/` that explains how to obtain the credentials. */
  readonly page: string;
  /** The schema of all members, including titles and hints for forms. */
  readonly schema: TObject;
  /** Members that can be written but never read. */
  readonly secretMembers: readonly string[];
  /** Members that contain server addresses. */
  readonly addressMembers?: readonly string[];
  /**
   * Validates the address members, for example a URL template. Defaults to `readBaseUrl`, which validates the base URL
   * of an API.
   */
  readonly readAddress?: typeof readBaseUrl;
  /** Converts members to their stored form if people enter them in a different form. */
  tidied?(data: CredentialsData): CredentialsData;
  /**
   * Returns a member that violates a rule that the schema cannot express, for example because another member is
   * missing. The message is phrased as the end of a sentence.
   */
  problem?(data: CredentialsData): { readonly member: string; readonly message: string } | undefined;
  /**
   * Returns the address that the secret members are sent to. A secret is sent only to the address for which it was
   * entered.
   */
  destination(data: CredentialsData): string;
  /** The name by which PROVIDER_URLS replaces the server of these credentials. A service has this name in `service`. */
  readonly serverName?: string;
  /** The request that tests the credentials. Defaults to a request to the provider's `trialUrl`. */
  readonly trial?: CredentialsTrial;
  /** Present only for model providers. */
  readonly provider?: ModelProvider;
  /** Present only for services that blocks call with their own requests. */
  readonly service?: Service;
};

/** The test of credentials, which is free and succeeds only with valid credentials, or `none`. */
export type CredentialsTrial =
  /** A GET request to a path below the service's address. */
  | {
      readonly kind: "call";
      readonly path: string;
      readonly query?: Query;
    }
  /** A login to a mail server. */
  | { readonly kind: "mail" }
  /** A request for a Google access token. */
  | { readonly kind: "google" }
  /** The service offers no request for testing credentials. `why` is a full sentence. */
  | { readonly kind: "none"; readonly why: string };

export type Service = {
  /** The name that the operator uses to move the service to another origin. */
  readonly name: string;
  /** Whether the service bills each call. After a crash, a billed call is not repeated if its report was stored. */
  readonly isBilled: boolean;
  /** The provider's URL without a trailing slash. Absent if each customer has a different URL. */
  readonly ownUrl?: string;
  /**
   * Returns the base URL of the service's API without a trailing slash. The URL comes from the credentials or is the
   * provider's own. A key is sent only to this URL.
   */
  baseUrl(data: CredentialsData): string;
  /**
   * Present if the credentials contain a URL template instead of a base URL. Returns the template's URL for the
   * request's query, or undefined if the query would change the origin or the path.
   */
  addressOf?(data: CredentialsData, query: Query): URL | undefined;
  /** Returns the parts of a request that contain secrets and authenticate the request. */
  sign(data: CredentialsData): Signature;
  /** The response headers that blocks read, in lower case. */
  readonly answerHeaders?: readonly string[];
};

type Query = readonly (readonly [name: string, value: string])[];

/** The secret parts of a request: headers, query parameters and members of the JSON body. */
export type Signature = {
  readonly headers?: readonly (readonly [name: string, value: string])[];
  readonly query?: Query;
  readonly body?: Readonly<Record<string, unknown>>;
};

export type ModelProvider = {
  /**
   * Returns the base URL of the provider's API without a trailing slash. The URL comes from the credentials or is the
   * provider's own.
   */
  baseUrl(data: CredentialsData): string;
  headers(data: CredentialsData): readonly (readonly [name: string, value: string])[];
  /** Returns a URL whose requests are free and succeed only with a valid key. */
  trialUrl(data: CredentialsData): string;
  /** Returns the URL of the list of models, or undefined if the provider has no list. */
  modelsUrl(data: CredentialsData): string | undefined;
};

type ProviderSpec = {
  readonly type: string;
  readonly name: string;
  readonly summary: string;
  /** The default URL of the provider. */
  readonly baseUrl: string;
  /** Whether credentials may specify another server with the same API. */
  readonly takesBaseUrl: boolean;
  /** Returns the headers with the key. Defaults to `Authorization: Bearer`. */
  headersOf?(key: string, baseUrl: string): ReturnType<ModelProvider["headers"]>;
  /** The path of the trial request below the base URL. Defaults to `/models`. */
  readonly trialPath?: string;
  /**
   * The path below the provider's own URL that returns the complete list of models. Defaults to `/models`. Null if the
   * provider has no list.
   */
  readonly modelsPath?: string | null;
  /**
   * Returns the URL of the list of models for servers whose list is not at `/models`, and undefined for other servers.
   */
  otherModelsUrl?(baseUrl: string): string | undefined;
};

/** Defines the credentials of a model provider: a key and, for some providers, the address of another server. */
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
    description: "URL of another server with the same API, such as your own. Absent: the provider's URL.",
    help: "Another server with the same API, such as your own.",
    default: baseUrl,
    isAdvanced: true,
  });
}

/** Returns a text member, or undefined if the member is absent, empty or not a text. */
export function textIn(data: CredentialsData, member: string): string | undefined {
  const value = data[member];
  return typeof value === "string" && value !== "" ? value : undefined;
}
