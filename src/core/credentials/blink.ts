import { Type } from "@sinclair/typebox";
import type { CredentialsKind } from "./kind.ts";
import { key } from "./members.ts";

export const blink: CredentialsKind = {
  type: "blink",
  name: "Blink",
  summary: "Users and feed of Blink.",
  page: "integrations.md",
  schema: Type.Object({ apiKey: key() }),
  trial: { kind: "none", why: "Blink has no free request that checks a key and reads nothing about people." },
  secretMembers: ["apiKey"],
  destination: () => "https://api.joinblink.com",
};
