import { Type } from "@sinclair/typebox";
import type { CredentialsKind } from "./kind.ts";
import { key } from "./members.ts";

export const chatNode: CredentialsKind = {
  type: "chat-node",
  name: "ChatNode",
  summary: "Bots of ChatNode.",
  page: "integrations.md",
  schema: Type.Object({ apiKey: key() }),
  secretMembers: ["apiKey"],
  destination: () => "https://api.chatnode.ai",
};
