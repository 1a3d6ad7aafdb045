import { Type } from "@sinclair/typebox";
import { type CredentialsData, type CredentialsKind, textIn } from "./kind.ts";
import { address, key } from "./members.ts";

const ownBaseUrl = "https://app.nocodb.com";

const baseUrl = (data: CredentialsData): string => textIn(data, "baseUrl") ?? ownBaseUrl;

export const nocodb: CredentialsKind = {
  type: "nocodb",
  name: "NocoDB",
  summary: "Tables of NocoDB, in its cloud or on your own server.",
  page: "tables.md",
  schema: Type.Object({
    apiKey: key({
      title: "API token",
      description: "A token of NocoDB: Team & Settings, Tokens.",
      help: "In NocoDB: Team & Settings, Tokens.",
    }),
    baseUrl: Type.Optional(
      address({
        title: "Address",
        description: "URL of your own server. Absent: NocoDB's cloud.",
        help: "Only for a server of your own.",
        default: ownBaseUrl,
      }),
    ),
  }),
  trial: { kind: "call", path: "/api/v2/meta/bases" },
  secretMembers: ["apiKey"],
  addressMembers: ["baseUrl"],
  destination: (data) => new URL(baseUrl(data)).origin,
  service: {
    name: "nocodb",
    isBilled: false,
    ownUrl: ownBaseUrl,
    baseUrl,
    sign: (data) => ({ headers: [["xc-token", textIn(data, "apiKey") ?? ""]] }),
  },
};
