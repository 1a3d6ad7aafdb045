import { Type } from "@sinclair/typebox";
import { type CredentialsData, type CredentialsKind, textIn } from "./kind.ts";
import { address, key } from "./members.ts";

const ownHost = "https://us.i.posthog.com";

const hostOf = (data: CredentialsData) => textIn(data, "host") ?? ownHost;

export const posthog: CredentialsKind = {
  type: "posthog",
  name: "PostHog",
  summary: "Events for a project of PostHog.",
  page: "integrations.md",
  schema: Type.Object({
    apiKey: key({
      title: "Project API key",
      description: "The key of the project, which begins with phc_.",
      help: "Begins with `phc_`.",
    }),
    host: Type.Optional(
      address({
        title: "Address",
        description: "https://eu.i.posthog.com for Europe, or your own server. Absent: the United States.",
        help: "`https://eu.i.posthog.com` for Europe, or your own server.",
        default: ownHost,
      }),
    ),
  }),
  trial: {
    kind: "none",
    why: "PostHog accepts any key and checks it later: look at the activity of the project for the first event.",
  },
  secretMembers: ["apiKey"],
  addressMembers: ["host"],
  destination: (data) => new URL(hostOf(data)).origin,
  service: {
    name: "posthog",
    isBilled: false,
    ownUrl: ownHost,
    baseUrl: hostOf,
    sign: (data) => ({ body: { api_key: textIn(data, "apiKey") ?? "" } }),
  },
};
