import { credentialsKinds } from "../../src/core/credentials/index.ts";
import { providers } from "../../src/core/credentials/providers.ts";
import { startFakeModel } from "../fake-model/server.ts";
import { searchPath } from "../fake-providers/address-search.ts";
import { person, serviceAccount } from "../fake-providers/google/accounts.ts";
import { startFakeGoogle } from "../fake-providers/google/server.ts";
import { fakes } from "../fake-providers/index.ts";
import { providerUrls } from "../fake-providers/kit.ts";
import { type FakeStripe, startFakeStripe } from "../fake-providers/stripe.ts";
import type { TestApi, TestApiOptions } from "./api.ts";
import { testKey } from "./events.ts";
import { outsideFetch, startOutside } from "./outside.ts";

/** Fake versions of the services that blocks call, on the loopback address. */
export type EveryProvider = {
  /** Options for a service that calls these fakes. */
  readonly options: Pick<TestApiOptions, "safeFetch" | "config">;
  readonly stripe: FakeStripe;
  /** Stores credentials for each service in the workspace. */
  connect(api: TestApi, owner: Owner): Promise<Connected>;
  close(): Promise<void>;
};

type Owner = { readonly token: string; readonly workspaceId: string };

export type Connected = {
  /** The ids of the workspace's credentials by type. */
  readonly accounts: Readonly<Record<string, string>>;
  readonly outsideUrl: string;
  readonly spreadsheetId: string;
};

export async function startEveryProvider(): Promise<EveryProvider> {
  const [model, google, stripe, outside, ...others] = await Promise.all([
    startFakeModel(),
    startFakeGoogle(),
    startFakeStripe(),
    startOutside((_, response) => void response.setHeader("content-type", "application/json").end('{"word":"yes"}')),
    ...fakes.filter((starts) => starts !== startFakeStripe).map((starts) => starts({ port: 0 })),
  ]);
  const services = [google, stripe, ...others];
  const origins = new Set(services.map(({ origin }) => origin));
  const safeFetch = outsideFetch({ modelServers: new Set([model.origin]), providerServers: origins });
  const searchOrigin = others.find(({ name }) => name === "address-search")?.origin;
  return {
    options: {
      safeFetch,
      config: { ENCRYPTION_KEY: testKey, PROVIDER_URLS: providerUrls(services), MODEL_SERVERS: model.origin },
    },
    stripe,
    async connect(api, { token, workspaceId }) {
      const { safeStream } = api.deps;
      Object.assign(api.deps, {
        // Most model providers have a fixed address that no setting changes.
        safeStream: (request: Parameters<typeof safeStream>[0]) => {
          const url = request.url.replace(/^https:.*?(?=\/(chat\/completions|messages|responses)$)/, model.baseUrl);
          return safeStream(url === request.url ? request : { ...request, url, trusted: "models" });
        },
      });
      const accounts: Record<string, string> = {};
      for (const [type, data] of Object.entries(credentialsOf(`${searchOrigin}${searchPath}`))) {
        const path = `/api/v1/workspaces/${workspaceId}/credentials`;
        const made = await api.client.post(path, { token, body: { type, name: type, data } });
        accounts[type] = made.text("credentials.id");
      }
      const spreadsheetId = google.sheets.make({ rows: [["Name"]], sharedWith: [serviceAccount.clientEmail] });
      return { accounts, outsideUrl: outside.url("/hook"), spreadsheetId };
    },
    async close() {
      for (const { close } of [model, outside, ...services]) await close();
    },
  };
}

function credentialsOf(searchUrl: string): Readonly<Record<string, object>> {
  const apiKey = "planted-key-of-every-service";
  const { account, refreshToken } = person;
  return {
    smtp: { host: "mail.example.com", port: 25, from: { email: "team@example.com" } },
    stripe: { livePublicKey: "pk_live_1", liveSecretKey: "sk_live_1", liveWebhookSecret: "whsec_live_1" },
    "google sheets": serviceAccount,
    gmail: {
      ...{ account, refreshToken },
      ...{ clientId: "client-1.apps.googleusercontent.com", clientSecret: "GOCSPX-planted-client-secret-7f3a" },
    },
    "address-search": { url: searchUrl, header: "X-Key", key: apiKey },
    zendesk: { conversationsKeyId: "app_1", conversationsSecretKey: "planted-zendesk-secret-planted-zendesk" },
    ...Object.fromEntries(typesWithKey.map((type) => [type, { apiKey }])),
  };
}

/** The types of blocks that call a model. Their credentials have the same types. */
export const models = providers.map(({ type }) => type);

/** The types of credentials with an API key. */
const typesWithKey = [...credentialsKinds.values()]
  .filter(({ schema }) => "apiKey" in schema.properties)
  .map(({ type }) => type);
