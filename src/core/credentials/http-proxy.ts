import { Type } from "@sinclair/typebox";
import { type CredentialsData, type CredentialsKind, textIn } from "./kind.ts";
import { address, text } from "./members.ts";

export const httpProxy = {
  type: "http proxy",
  name: "HTTP proxy",
  summary: "A proxy through which HTTP blocks call other servers, so that the servers see the proxy's address.",
  page: "integrations.md",
  schema: Type.Object({
    url: address({
      title: "Address",
      description: "The address of the proxy, with its port.",
      help: "With the port.",
      examples: ["http://proxy.example.com:3128"],
    }),
    username: Type.Optional(text({ title: "User name", description: "The user name at the proxy." })),
    password: Type.Optional(text({ title: "Password", description: "The password at the proxy." })),
  }),
  trial: { kind: "none", why: "A proxy is tried by the first request of a block: use the test of that block." },
  secretMembers: ["password"],
  addressMembers: ["url"],
  serverName: "http-proxy",
  destination: (data: CredentialsData) => new URL(textIn(data, "url") ?? "").origin,
} satisfies CredentialsKind;
