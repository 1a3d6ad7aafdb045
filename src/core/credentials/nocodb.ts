import { Type } from "@sinclair/typebox";
import { type CredentialsKind, textIn } from "./kind.ts";
import { address, key } from "./members.ts";

const ownBaseUrl = "https://app.nocodb.com";

export const nocodb: CredentialsKind = {
  type: "nocodb",
  name: "NocoDB",
  summary: "Tables of NocoDB, in its cloud or on your own server.",
  page: "tables.md",
  schema: Type.Object({
    apiKey: key({ title: "API token", description: "A token of NocoDB: Team & Settings, Tokens." }),
    baseUrl: Type.Optional(
      address({
        title: "Address",
        description: "Your own server. Absent: NocoDB's cloud.",
        default: ownBaseUrl,
      }),
    ),
  }),
  secretMembers: ["apiKey"],
  addressMembers: ["baseUrl"],
  destination: (data) => new URL(textIn(data, "baseUrl") ?? ownBaseUrl).origin,
};
