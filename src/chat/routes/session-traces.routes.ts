import { Type } from "@sinclair/typebox";
import { limits } from "../../limits/index.ts";
import { needsToken } from "../../management/operations/authentication.ts";
import { type Operation, operationFor } from "../../management/operations/operation.ts";
import { jsonAnswer } from "../../platform/http/json-answer.ts";
import { exampleTime, nullable, Timestamp } from "../../platform/http/schemas.ts";
import { passTime } from "../pass-time.ts";
import { findSession } from "../reads/sessions.sql.ts";
import { readTrace, setVariables } from "../session-traces.ts";
import type { ChatDependencies } from "../steps/dependencies.ts";
import { Step, stepExample } from "./chat-schemas.ts";
import { TraceEntry } from "./trace-schemas.ts";

const operation = operationFor<ChatDependencies>("Chat");

const sessionErrors = ["session.not_found", "session.expired", "workspace.suspended"] as const;

const TracedStep = Type.Object(
  {
    revision: Type.Integer({ description: "Number of the step in the chat; 1 is the start." }),
    createdAt: Timestamp,
    wentBackTo: nullable(Type.Integer({ description: "For a step that goes back: the step whose input is repeated." })),
    entries: Type.Array(TraceEntry, { description: "The actions of the step, in the order in which they happened." }),
    isCut: Type.Boolean({
      description: `Whether the trace is truncated at its limit of ${limits.traces.entries.toLocaleString("en")} entries and ${limits.traces.characters / 1024} kB.`,
    }),
    waitsAt: nullable(Type.String({ description: "Id of the block at which the chat waits." })),
    isEnded: Type.Boolean({ description: "Whether the chat ended with this step." }),
  },
  { $id: "TracedStep", description: "The trace of one step of a preview." },
);

export const sessionTraceOperations: readonly Operation[] = [
  operation({
    id: "getTrace",
    route: "GET /api/v1/sessions/:sessionId/trace",
    query: Type.Object({
      after: Type.Optional(
        Type.Integer({
          minimum: 0,
          maximum: 2_147_483_647,
          default: 0,
          description: "The number of the last step that you have.",
        }),
      ),
    }),
    answer: Type.Object({
      steps: Type.Array(TracedStep, { description: `The later steps, at most ${limits.traces.steps}.` }),
      hasMore: Type.Boolean({
        description: "Whether there are more steps. To get them, set `after` to the last step of this list.",
      }),
    }),
    answerExample: {
      steps: [
        {
          revision: 1,
          createdAt: exampleTime,
          wentBackTo: null,
          entries: [
            { kind: "block", blockId: "bl1", edgeId: "start" },
            {
              kind: "effect",
              blockId: "bl1",
              effect: "http",
              method: "GET",
              address: "https://api.example.com/",
              status: 200,
              milliseconds: 83,
            },
            { kind: "variable", variableId: "city", name: "City", value: "Lyon" },
            { kind: "block", blockId: "bl2" },
          ],
          isCut: false,
          waitsAt: "bl2",
          isEnded: false,
        },
      ],
      hasMore: false,
    },
    errors: [...sessionErrors, "session.not_traced"],
    async handle(deps, { caller, params: { sessionId }, query: { after = 0 } }) {
      const { steps, hasMore } = await readTrace(deps, caller, { sessionId, after });
      const written = steps.map(({ trace, ...step }) => ({
        ...step,
        ...{ entries: [], isCut: false, waitsAt: null, isEnded: false },
        ...(trace !== null && JSON.parse(trace)),
      }));
      return { steps: written, hasMore };
    },
  }),
  operation({
    id: "setPreviewVariables",
    route: "PUT /api/v1/sessions/:sessionId/variables",
    auth: needsToken("read"),
    // The operation changes only a preview, which leaves no permanent data.
    isAudited: false,
    body: Type.Object({
      variables: Type.Record(
        Type.String(),
        Type.Union([Type.String(), Type.Array(nullable(Type.String())), Type.Number(), Type.Boolean(), Type.Null()]),
        { maxProperties: limits.traces.variables, description: "Values by variable name; null clears a variable." },
      ),
    }),
    bodyBytes: limits.request.chatBodyBytes,
    answer: Step,
    answerExample: { ...stepExample, messages: [] },
    errors: [
      ...sessionErrors,
      "session.not_preview",
      "session.variable_not_found",
      "session.ended",
      "session.busy",
      "step.over_budget",
      "server.overloaded",
      "server.save_in_doubt",
      "server.newer_state",
    ],
    handle: async (deps, { caller, params: { sessionId }, body: { variables } }) =>
      jsonAnswer((await setVariables(deps, caller, { sessionId, variables })).response),
  }),
  operation({
    id: "passPreviewTime",
    route: "POST /api/v1/sessions/:sessionId/passTime",
    auth: needsToken("read"),
    // The operation changes only a preview, which leaves no permanent data.
    isAudited: false,
    shows: true,
    shownBot: async ({ sql }, { sessionId }) => (await findSession(sql, sessionId, null))?.botId,
    answer: Step,
    answerExample: stepExample,
    errors: [
      ...sessionErrors,
      "session.not_traced",
      "session.nothing_due",
      "session.busy",
      "step.over_budget",
      "server.overloaded",
      "server.save_in_doubt",
      "server.newer_state",
    ],
    handle: async (deps, { caller, params: { sessionId } }) =>
      jsonAnswer(JSON.stringify(await passTime(deps, caller, sessionId))),
  }),
];
