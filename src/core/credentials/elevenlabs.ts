import { Type } from "@sinclair/typebox";
import type { CredentialsKind } from "./kind.ts";
import { key } from "./members.ts";

export const elevenlabs: CredentialsKind = {
  type: "elevenlabs",
  name: "ElevenLabs",
  summary: "Voices of ElevenLabs.",
  page: "integrations.md",
  schema: Type.Object({ apiKey: key() }),
  secretMembers: ["apiKey"],
  destination: () => "https://api.elevenlabs.io",
};
