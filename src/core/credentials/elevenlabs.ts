import { Type } from "@sinclair/typebox";
import { type CredentialsKind, textIn } from "./kind.ts";
import { key } from "./members.ts";

const baseUrl = "https://api.elevenlabs.io";

export const elevenlabs: CredentialsKind = {
  type: "elevenlabs",
  name: "ElevenLabs",
  summary: "Voices of ElevenLabs.",
  page: "integrations.md",
  schema: Type.Object({ apiKey: key() }),
  trial: { kind: "call", path: "/v1/user" },
  secretMembers: ["apiKey"],
  destination: () => baseUrl,
  service: {
    name: "elevenlabs",
    isBilled: false,
    ownUrl: baseUrl,
    baseUrl: () => baseUrl,
    sign: (data) => ({ headers: [["xi-api-key", textIn(data, "apiKey") ?? ""]] }),
  },
};
