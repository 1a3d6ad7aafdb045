import { Type } from "@sinclair/typebox";
import { unknownReasons } from "../../core/replay/chat.ts";
import { differenceKinds } from "../../core/replay/judge.ts";
import { limits } from "../../limits/index.ts";
import { VersionName } from "../../management/bots/drafts/comparison-schemas.ts";
import { SuppliedFlow } from "../../management/bots/supplied-flow.ts";
import { needsToken } from "../../management/operations/authentication.ts";
import { type Operation, operationFor } from "../../management/operations/operation.ts";
import { exampleId, Id, nullable, oneOf, resource } from "../../platform/http/schemas.ts";
import type { ChatDependencies } from "../steps/dependencies.ts";
import { reportImpact } from "./impact.ts";

const operation = operationFor<ChatDependencies>("Publishing");

const count = (description: string) => Type.Integer({ minimum: 0, description });
const list = (description: string) => Type.Array(Type.Unknown(), { description });

const ShownStepSchema = resource(
  "ToldStep",
  {
    shows: list("The bubbles: texts as plain text, media by their address."),
    asks: nullable(Type.String({ description: "The type of the open input." })),
    choices: list("What can be chosen."),
  },
  "What a step of a chat told its visitor.",
);

const ExampleSchema = Type.Object({
  resultId: Id,
  sessionId: Id,
  step: Type.Integer({ description: "From 1, the start." }),
  reply: nullable(Type.String({ description: "What the visitor said." })),
  was: ShownStepSchema,
  wouldBe: nullable(ShownStepSchema),
  code: Type.Optional(Type.String({ description: "Why the step would be refused." })),
});

const PlaceSchema = resource(
  "ImpactPlace",
  {
    kind: oneOf(differenceKinds, {
      description:
        "`words`: the same blocks speak and ask, this one otherwise. `bubbles`: after it other bubbles of the same groups speak, and the same is asked. `call`: it makes another call. `way`: after it other groups are walked, or something else is asked. `end`: after it the chat ends, or goes on, where it did not. `uncalled`: it wants a call that was not made. `refused`: the step would be refused.",
    }),
    blockId: nullable(Type.String({ description: "Null before the first block." })),
    groupId: nullable(Type.String()),
    groupTitle: nullable(Type.String({ description: "The title of that group." })),
    wasNext: nullable(Type.String({ description: "Where ways part: the block that came next." })),
    next: nullable(Type.String({ description: "Where ways part: the block that would come next." })),
    chats: count("How many chats come out otherwise here."),
    examples: Type.Array(ExampleSchema, { description: `At most ${limits.replay.examples}.` }),
  },
  "A place at which chats come out otherwise.",
);

const shownStep = { shows: ["What is your e-mail address?"], asks: "email input", choices: [] };

export const impactOperations: readonly Operation[] = [
  operation({
    id: "reportImpact",
    route: "POST /api/v1/bots/:botId/impact",
    isAudited: false,
    summary: "Say what a flow would do with the last chats",
    description:
      "Replays the bot's last chats with its draft, a version, or the flow in `bot`: each step with the clock, the chance and the reply that it had; calls come to what they came to then. Nothing is stored and nothing is sent. It says how many come out the same, how many say something else on the same way, how many go another way, and where. docs/impact.md has the details.",
    auth: needsToken("read"),
    body: Type.Object({
      version: Type.Optional({ ...VersionName, default: "draft", description: "`draft` or a number." }),
      bot: Type.Optional(SuppliedFlow),
      last: Type.Optional(
        Type.Integer({
          minimum: 1,
          maximum: limits.replay.last,
          default: limits.replay.lastByDefault,
          description: "How many results to look at, the newest first: of those that a visitor has answered.",
        }),
      ),
    }),
    answer: Type.Object({
      results: count("Results that were looked at, a chat of each: the one that went farthest."),
      same: count("Chats that come out the same."),
      changed: count("Chats that go the same way, on which something is said or called otherwise."),
      diverging: count("Chats that go another way."),
      notReplayable: Type.Array(
        Type.Object({
          reason: oneOf(unknownReasons, { description: "Why they cannot be replayed." }),
          message: Type.String(),
          chats: count("How many."),
        }),
        { description: "Chats of which nobody knows, by what is missing." },
      ),
      isComplete: Type.Boolean({ description: "False where the time was up before all were looked at." }),
      places: Type.Array(PlaceSchema, { description: "Where chats come out otherwise, most chats first." }),
      hasMorePlaces: Type.Boolean({ description: "Whether there are more places than are listed." }),
    }),
    answerExample: {
      ...{ results: 1_000, same: 961, changed: 0, diverging: 12 },
      notReplayable: [{ reason: "expired", message: "Its steps are kept no longer.", chats: 27 }],
      isComplete: true,
      places: [
        {
          ...{ kind: "way", blockId: "bl2", groupId: "gr1", groupTitle: "Contact", wasNext: "bl3", next: "bl7" },
          chats: 12,
          examples: [
            {
              ...{ resultId: exampleId, sessionId: exampleId, step: 3, reply: "Ada", was: shownStep },
              wouldBe: { shows: ["Thank you"], asks: null, choices: [] },
            },
          ],
        },
      ],
      hasMorePlaces: false,
    },
    errors: ["publication.not_found", "server.overloaded"],
    handle: async (deps, { caller, params: { botId }, body, dialect }) =>
      reportImpact(deps, caller, botId, {
        version: body.version,
        flow: body.bot ?? undefined,
        last: body.last ?? limits.replay.lastByDefault,
        dialect,
      }),
  }),
];
