import { Type } from "@sinclair/typebox";
import type { CredentialsKind } from "./kind.ts";
import { key, text } from "./members.ts";

export const zendesk: CredentialsKind = {
  type: "zendesk",
  name: "Zendesk",
  summary: "Signs visitors in to the widget of Zendesk.",
  page: "integrations.md",
  schema: Type.Object({
    conversationsKeyId: text({
      title: "Key ID",
      description: "The ID of a key of the Conversations API, from Apps and integrations in the Admin Center.",
      help: "In the Admin Center: Apps and integrations, Conversations API.",
      examples: ["app_5f2c9a1b7d3e"],
    }),
    conversationsSecretKey: key({
      title: "Secret key",
      description: "The secret of the key. Parley signs the visitor's token with it, and never sends it.",
    }),
  }),
  trial: { kind: "none", why: "Zendesk checks the key when a visitor opens the widget." },
  secretMembers: ["conversationsSecretKey"],
  destination: () => "nowhere",
};
