import { Type } from "@sinclair/typebox";
import type { CredentialsKind } from "./kind.ts";
import { key } from "./members.ts";

export const chatNode: CredentialsKind = {
  type: "chat-node",
  name: "ChatNode",
  summary: "Bots of ChatNode.",
  page: "integrations.md",
  schema: Type.Object({ apiKey: key() }),
  trial: { kind: "none", why: "ChatNode has no free request that checks a key." },
  secretMembers: ["apiKey"],
  destination: () => "https://api.chatnode.ai",
};
