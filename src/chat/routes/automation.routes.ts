import { Type } from "@sinclair/typebox";
import { listAutomated, listHttpBlocks } from "../../management/bots/http-blocks.ts";
import { type Operation, operationFor } from "../../management/operations/operation.ts";
import { compatibleTag } from "../../management/operations/operation-words.ts";
import { getOwnUser } from "../../management/people/users.ts";
import { exampleId, Id, nullable } from "../../platform/http/schemas.ts";
import type { ChatDependencies } from "../steps/dependencies.ts";

const operation = operationFor<ChatDependencies>(compatibleTag);

/** Operations for automation services. Their paths contain no version. */
export const automationOperations: readonly Operation[] = [
  operation({
    id: "getAutomationUser",
    route: "GET /api/users/me",
    host: "both",
    answer: Type.Object({ id: Id, email: nullable(Type.String()) }),
    answerExample: { id: exampleId, email: "ada@example.com" },
    async handle(deps, { caller }) {
      const { id, email } = await getOwnUser(deps, caller);
      return { id, email };
    },
  }),
  operation({
    id: "listAutomationTypebots",
    route: "GET /api/typebots",
    host: "both",
    answer: Type.Object({
      typebots: Type.Array(
        Type.Object({
          id: Id,
          name: Type.String(),
          publishedTypebotId: Type.Optional(
            Type.Unsafe<string>({
              ...Id,
              description: "Id of the published version; absent if the bot is not published.",
            }),
          ),
        }),
        { description: "The bots, newest first." },
      ),
    }),
    answerExample: { typebots: [{ id: exampleId, name: "Visitors' book", publishedTypebotId: exampleId }] },
    async handle(deps, { caller }) {
      const bots = await listAutomated(deps, caller);
      const typebots = bots.map(({ publishedBotId, ...bot }) => ({
        ...bot,
        ...(publishedBotId !== null && { publishedTypebotId: publishedBotId }),
      }));
      return { typebots };
    },
  }),
  operation({
    id: "listAutomationWebhookSteps",
    route: "GET /api/typebots/:typebotId/webhookSteps",
    host: "both",
    answer: Type.Object({
      steps: Type.Array(
        Type.Object({
          id: Type.String({ description: "Id of the block." }),
          blockId: Type.String({ description: "Id of its group." }),
          name: Type.String(),
        }),
        { description: "The blocks in the order of the flow." },
      ),
    }),
    errors: ["workspace.suspended"],
    async handle(deps, { caller, params }) {
      const found = await listHttpBlocks(deps, caller, params.typebotId);
      return { steps: found.map(({ id, groupId, label }) => ({ id, blockId: groupId, name: label })) };
    },
  }),
  operation({
    id: "listAutomationWebhookBlocks",
    route: "GET /api/typebots/:typebotId/webhookBlocks",
    host: "both",
    answer: Type.Object({
      blocks: Type.Array(Type.Object({ id: Type.String(), groupId: Type.String(), name: Type.String() }), {
        description: "The blocks in the order of the flow.",
      }),
    }),
    errors: ["workspace.suspended"],
    async handle(deps, { caller, params }) {
      const found = await listHttpBlocks(deps, caller, params.typebotId);
      return { blocks: found.map(({ id, groupId, label }) => ({ id, groupId, name: label })) };
    },
  }),
];
