import { Type } from "@sinclair/typebox";
import { AppError } from "../../../errors.ts";
import { limits } from "../../../limits/index.ts";
import { invalidInput } from "../../../platform/http/requests/invalid-input.ts";
import { exampleId, Id, nullable, resource } from "../../../platform/http/schemas.ts";
import { type Caller, requireBot } from "../../access/access.ts";
import { needsToken } from "../../operations/authentication.ts";
import { type Operation, operationFor } from "../../operations/operation.ts";
import type { BotDependencies } from "./dependencies.ts";
import { BotPath } from "./draft-changes.routes.ts";
import { deletePresence, listPresences, type Place, type PresenceRow, putPresence } from "./presences.sql.ts";

const operation = operationFor<BotDependencies>("Bots");

const PresenceId = Type.String({
  pattern: "^[0-9A-Za-z_-]{16,64}$",
  expected: "an id of 16 to 64 letters, digits, - and _ that the client made, such as a UUID",
  description: "Id that the client generates for each tab.",
  examples: ["0192f0c1-7b1e-4c5e-9a52-3f6d2b8c1a77"],
});
const At = nullable(
  Type.String({ maxLength: 255, description: "Id of the card that the person has selected; null if there is none." }),
);

const coordinate = (description: string) =>
  Type.Number({ minimum: -limits.editing.coordinate, maximum: limits.editing.coordinate, description });
const unit = (description: string) => Type.Integer({ minimum: 0, maximum: limits.editing.textUnits, description });
const place = {
  pointer: Type.Optional(
    Type.Object(
      {
        x: coordinate("Horizontal position in the flow's coordinates, increasing to the right."),
        y: coordinate("Vertical position in the flow's coordinates, increasing downwards."),
      },
      { description: "Position of the pointer, in the flow's coordinates." },
    ),
  ),
  text: Type.Optional(
    Type.Object(
      {
        path: Type.Array(
          Type.Union([
            Type.String({ maxLength: limits.editing.pathStepCharacters }),
            Type.Integer({ minimum: 0, maximum: 2_147_483_647 }),
          ]),
          {
            minItems: 1,
            maxItems: limits.editing.pathSteps,
            description: "Path of the text within the object that `at` names.",
          },
        ),
        at: unit("Start of the selection, in units of the text."),
        to: unit("Position of the caret, in units of the text. It is before `at` for a backward selection."),
        revision: Type.Integer({
          minimum: 0,
          maximum: 2_147_483_647,
          description: "The draft's revision that the units refer to.",
        }),
      },
      {
        description: "The selection in a text, from `at` to the caret at `to`, in the units of a change `edit`.",
      },
    ),
  ),
  camera: Type.Optional(
    Type.Object(
      {
        x: coordinate("Horizontal position in the flow's coordinates, increasing to the right."),
        y: coordinate("Vertical position in the flow's coordinates, increasing downwards."),
        zoom: Type.Number({
          minimum: limits.editing.zoom.least,
          maximum: limits.editing.zoom.most,
          description: "Pixels for one unit of the flow.",
        }),
      },
      {
        description: "The visible part of the canvas: the flow's point at its centre, and the zoom in pixels per unit.",
      },
    ),
  ),
};

const PresenceSchema = resource(
  "Presence",
  { id: PresenceId, userId: Id, name: nullable(Type.String()), at: At, ...place },
  "A person who has a draft open.",
);

export const presenceOperations: readonly Operation[] = [
  operation({
    id: "setPresence",
    route: "PUT /api/v1/bots/:botId/presence",
    description:
      "Also reports your position in the draft. Other people get the event `presence`. Fields that you omit are cleared. A report is valid for a minute, so repeat it; send `isHere: false` when you close the draft. " +
      `Each person can have ${limits.editing.presencesPerUser} presences: one more removes the presence that was not updated for the longest time.`,
    auth: needsToken("read"),
    act: "edits",
    // The operation reports a position and changes no content.
    isAudited: false,
    params: BotPath,
    body: Type.Object({
      id: PresenceId,
      at: Type.Optional(At),
      ...place,
      isHere: Type.Optional(Type.Boolean({ default: true, description: "False when you close the draft." })),
    }),
    answer: Type.Object({
      present: Type.Array(PresenceSchema, { description: "The people who have the draft open, including you." }),
    }),
    answerExample: {
      present: [{ id: "0192f0c1-7b1e-4c5e-9a52-3f6d2b8c1a77", userId: exampleId, name: "Ada", at: "welcome" }],
    },
    errors: ["server.overloaded"],
    handle: async (deps, { caller, params, body: { id, at = null, isHere = true, pointer, text, camera } }) => {
      const place = { ...(pointer && { pointer }), ...(text && { text }), ...(camera && { camera }) };
      const { present } = await notePresence(deps, caller, params.botId, { id, at, place, isHere });
      return { present: [...present] };
    },
  }),
];

export type { PresenceRow };

/**
 * Records that a person has a draft open, and the person's position in it, or that the person has closed the draft. The
 * record expires after a minute. Returns the people present. Throws `request.invalid` if the id belongs to another
 * user, and `server.overloaded` if too many people are present.
 */
async function notePresence(
  deps: BotDependencies,
  caller: Caller,
  botId: string,
  { id, at, place, isHere }: { id: string; at: string | null; place: Place; isHere: boolean },
): Promise<{ present: readonly PresenceRow[] }> {
  await requireBot(deps, caller, botId, "read");
  const presence = { botId, id, userId: caller.userId };
  if (!isHere) await deletePresence(deps.sql, presence);
  const isNoted = !isHere || (await putPresence(deps.sql, { ...presence, at, place }));
  const present = await listPresences(deps.sql, botId);
  if (!isNoted) {
    const isTaken = present.some((other) => other.id === id);
    throw isTaken
      ? invalidInput([{ path: "id", message: "must be an id that nobody else uses" }])
      : new AppError("server.overloaded");
  }
  deps.draftWatch.wake();
  return { present };
}
