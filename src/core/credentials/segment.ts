import { Type } from "@sinclair/typebox";
import { type CredentialsKind, textIn } from "./kind.ts";
import { key } from "./members.ts";

const ownUrl = "https://api.segment.io";

export const segment: CredentialsKind = {
  type: "segment",
  name: "Segment",
  summary: "Events for a source of Segment.",
  page: "integrations.md",
  schema: Type.Object({ apiKey: key({ title: "Write key", description: "The write key of the source." }) }),
  trial: {
    kind: "none",
    why: "Segment accepts any write key and checks it later: look at the debugger of the source for the first event.",
  },
  secretMembers: ["apiKey"],
  destination: () => ownUrl,
  service: {
    name: "segment",
    isBilled: false,
    ownUrl,
    baseUrl: () => ownUrl,
    sign: (data) => ({ headers: [["Authorization", `Basic ${btoa(`${textIn(data, "apiKey") ?? ""}:`)}`]] }),
  },
};
