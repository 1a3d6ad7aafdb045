import { Type } from "@sinclair/typebox";
import { type CredentialsData, type CredentialsKind, textIn } from "./kind.ts";
import { address, key } from "./members.ts";

const ownEndpoint = "https://api.dify.ai";

export const difyAi: CredentialsKind = {
  type: "dify-ai",
  name: "Dify",
  summary: "Apps and data sets of Dify, in its cloud or on your own server.",
  page: "integrations.md",
  schema: Type.Object({
    apiKey: Type.Optional(key({ title: "API key of the app", description: "The key of the app that answers." })),
    knowledgeApiKey: Type.Optional(
      key({
        title: "API key of the knowledge",
        description: "The key for data sets, for `Query Knowledge Base`.",
        help: "Needed to look up data sets.",
      }),
    ),
    apiEndpoint: Type.Optional(
      address({
        title: "Address",
        description: "URL of your own server. Absent: Dify's cloud.",
        help: "Only for a server of your own.",
        default: ownEndpoint,
      }),
    ),
  }),
  secretMembers: ["apiKey", "knowledgeApiKey"],
  addressMembers: ["apiEndpoint"],
  problem({ apiKey, knowledgeApiKey }) {
    if (apiKey !== undefined || knowledgeApiKey !== undefined) return undefined;
    return { member: "apiKey", message: "is required, unless knowledgeApiKey is set" };
  },
  destination: (data) => new URL(baseUrlOf(data)).origin,
  provider: {
    baseUrl: baseUrlOf,
    headers: ({ apiKey, knowledgeApiKey }) => bearer(apiKey ?? knowledgeApiKey),
    // The knowledge base and apps use different keys.
    trialUrl: (data) => `${baseUrlOf(data)}/${data["apiKey"] === undefined ? "datasets?limit=1" : "info"}`,
    modelsUrl: () => undefined,
  },
  /** The service settings are only used for data sets. Apps are called in the same way as models. */
  service: {
    name: "dify-ai",
    isBilled: true,
    ownUrl: ownEndpoint,
    baseUrl: baseUrlOf,
    sign: ({ knowledgeApiKey }) => ({ headers: bearer(knowledgeApiKey) }),
  },
};

/** Returns the base URL with the API version. People enter the URL with or without the version. */
function baseUrlOf(data: CredentialsData): string {
  return `${(textIn(data, "apiEndpoint") ?? ownEndpoint).replace(/(?:\/v1)?\/*$/, "")}/v1`;
}

function bearer(key: unknown): readonly (readonly [name: string, value: string])[] {
  return [["Authorization", `Bearer ${typeof key === "string" ? key : ""}`]];
}
