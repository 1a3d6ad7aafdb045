import { Type } from "@sinclair/typebox";
import { limits } from "../limits.ts";
import { notePresence } from "../services/presences.ts";
import { BotPath } from "./draft-changes.ts";
import { needsToken } from "./http/authentication.ts";
import { type Operation, operation } from "./http/operation.ts";
import { exampleId, Id, nullable, resource } from "./http/schemas.ts";

const PresenceId = Type.String({
  pattern: "^[0-9A-Za-z_-]{16,64}$",
  expected: "an id of 16 to 64 letters, digits, - and _ that the client made, such as a UUID",
  description: "Made by the client: one for each tab.",
  examples: ["0192f0c1-7b1e-4c5e-9a52-3f6d2b8c1a77"],
});
const At = nullable(
  Type.String({ maxLength: 255, description: "The id of the card where they are; null where they are at none." }),
);

const PresenceSchema = resource(
  "Presence",
  { id: PresenceId, userId: Id, name: nullable(Type.String()), at: At },
  "Somebody who has a draft open.",
);

export const presenceOperations: readonly Operation[] = [
  operation({
    id: "setPresence",
    method: "PUT",
    path: "/api/v1/bots/:botId/presence",
    tag: "Bots",
    summary: "Say that you have a draft open",
    description:
      "And where you are in it: others are told by the event `presence`. It counts for a minute, so say it again; with `isHere: false` you have closed it. " +
      `Of one person ${limits.editing.presencesPerUser} count: one more closes the one that was not heard of for longest.`,
    auth: needsToken("read"),
    act: "edits",
    // It says where somebody is, and changes nothing.
    isAudited: false,
    params: BotPath,
    body: Type.Object({
      id: PresenceId,
      at: Type.Optional(At),
      isHere: Type.Optional(Type.Boolean({ default: true, description: "False where you have closed it." })),
    }),
    bodyExample: { id: "0192f0c1-7b1e-4c5e-9a52-3f6d2b8c1a77", at: "welcome" },
    answer: Type.Object({ present: Type.Array(PresenceSchema, { description: "Who is here, you included." }) }),
    answerExample: {
      present: [{ id: "0192f0c1-7b1e-4c5e-9a52-3f6d2b8c1a77", userId: exampleId, name: "Ada", at: "welcome" }],
    },
    errors: ["workspace.suspended", "server.overloaded"],
    handle: async (deps, { caller, params, body: { id, at = null, isHere = true } }) => {
      const { present } = await notePresence(deps, caller, params.botId, { id, at, isHere });
      return { present: [...present] };
    },
  }),
];
