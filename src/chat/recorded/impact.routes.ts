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
    shows: list("The bubbles: texts as plain text, media by their URL."),
    asks: nullable(Type.String({ description: "The type of the open input." })),
    choices: list("The choices of the open input."),
  },
  "The output of one step of a chat.",
);

const ExampleSchema = Type.Object({
  resultId: Id,
  sessionId: Id,
  step: Type.Integer({ description: "Number of the step; 1 is the start." }),
  reply: nullable(Type.String({ description: "The visitor's message." })),
  was: ShownStepSchema,
  wouldBe: nullable(ShownStepSchema),
  code: Type.Optional(Type.String({ description: "The error code with which the step would be rejected." })),
});

const PlaceSchema = resource(
  "ImpactPlace",
  {
    kind: oneOf(differenceKinds, {
      description:
        "The kind of difference. `words`: the same blocks run, and this block shows different content. `bubbles`: different bubbles of the same groups follow, and the input is the same. `call`: the block makes a different call. `way`: different groups or a different input follow. `end`: the chat ends where it continued, or continues where it ended. `uncalled`: the block needs a call that was not recorded. `refused`: the step would be rejected.",
    }),
    blockId: nullable(Type.String({ description: "Id of the block; null before the first block." })),
    groupId: nullable(Type.String()),
    groupTitle: nullable(Type.String({ description: "The title of the group." })),
    wasNext: nullable(
      Type.String({ description: "For a different path: the block that followed in the recorded chat." }),
    ),
    next: nullable(Type.String({ description: "For a different path: the block that would follow now." })),
    chats: count("Number of chats that differ at this block."),
    examples: Type.Array(ExampleSchema, {
      description: `Examples of the difference, at most ${limits.replay.examples}.`,
    }),
  },
  "A block at which chats differ.",
);

const shownStep = { shows: ["What is your e-mail address?"], asks: "email input", choices: [] };

export const impactOperations: readonly Operation[] = [
  operation({
    id: "reportImpact",
    route: "POST /api/v1/bots/:botId/impact",
    isAudited: false,
    auth: needsToken("read"),
    body: Type.Object({
      version: Type.Optional({
        ...VersionName,
        default: "draft",
        description: "The flow to replay: `draft` or the number of a version.",
      }),
      bot: Type.Optional(SuppliedFlow),
      last: Type.Optional(
        Type.Integer({
          minimum: 1,
          maximum: limits.replay.last,
          default: limits.replay.lastByDefault,
          description: "Number of results to replay, newest first. Results without an answer are ignored.",
        }),
      ),
    }),
    shows: true,
    answer: Type.Object({
      results: count("Number of examined results. For each result, the chat with the most steps is replayed."),
      same: count("Number of chats with the same outcome."),
      changed: count("Number of chats on the same path with different content or calls."),
      diverging: count("Number of chats on a different path."),
      notReplayable: Type.Array(
        Type.Object({
          reason: oneOf(unknownReasons, { description: "The reason why the chats cannot be replayed." }),
          message: Type.String(),
          chats: count("Number of chats."),
        }),
        { description: "Chats that cannot be replayed, by reason." },
      ),
      isComplete: Type.Boolean({
        description: "False if the time limit was reached before all results were examined.",
      }),
      places: Type.Array(PlaceSchema, {
        description: "Blocks at which chats differ, sorted by number of chats, highest first.",
      }),
      hasMorePlaces: Type.Boolean({ description: "Whether the list of blocks is truncated." }),
    }),
    answerExample: {
      ...{ results: 1_000, same: 961, changed: 0, diverging: 12 },
      notReplayable: [{ reason: "expired", message: "Its steps are no longer stored.", chats: 27 }],
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
