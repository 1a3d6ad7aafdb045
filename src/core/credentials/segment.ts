import { Type } from "@sinclair/typebox";
import type { CredentialsKind } from "./kind.ts";
import { key } from "./members.ts";

export const segment: CredentialsKind = {
  type: "segment",
  name: "Segment",
  summary: "Events for a source of Segment.",
  page: "integrations.md",
  schema: Type.Object({ apiKey: key({ title: "Write key", description: "The write key of the source." }) }),
  secretMembers: ["apiKey"],
  destination: () => "https://api.segment.io",
};
