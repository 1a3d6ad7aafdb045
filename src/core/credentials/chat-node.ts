import { Type } from "@sinclair/typebox";
import type { CredentialsKind } from "./kind.ts";
import { key } from "./members.ts";

const ownUrl = "https://api.public.chatnode.ai/v1";

export const chatNode: CredentialsKind = {
  type: "chat-node",
  name: "ChatNode",
  summary: "Bots of ChatNode.",
  page: "integrations.md",
  schema: Type.Object({ apiKey: key() }),
  trial: { kind: "none", why: "ChatNode has no free request that checks a key." },
  secretMembers: ["apiKey"],
  destination: () => new URL(ownUrl).origin,
  service: {
    name: "chat-node",
    isBilled: true,
    ownUrl,
    baseUrl: () => ownUrl,
    sign: ({ apiKey }) => ({ headers: [["Authorization", `Bearer ${apiKey}`]] }),
  },
};
