import { Type } from "@sinclair/typebox";
import { type CredentialsKind, textIn } from "./kind.ts";
import { key } from "./members.ts";

const ownUrl = "https://api.joinblink.com";

export const blink: CredentialsKind = {
  type: "blink",
  name: "Blink",
  summary: "Users and feed of Blink.",
  page: "integrations.md",
  schema: Type.Object({
    apiKey: key({
      title: "App token",
      description: "The token of an app in the admin panel of Blink: Manage Apps.",
      help: "In Blink's admin panel: Manage Apps.",
    }),
  }),
  trial: { kind: "none", why: "Blink has no free request that checks a key and reads nothing about people." },
  secretMembers: ["apiKey"],
  destination: () => ownUrl,
  service: {
    name: "blink",
    isBilled: false,
    ownUrl,
    baseUrl: () => ownUrl,
    sign: (data) => ({ headers: [["Authorization", `Bearer ${textIn(data, "apiKey") ?? ""}`]] }),
  },
};
