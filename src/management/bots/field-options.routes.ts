import { Type } from "@sinclair/typebox";
import { described, idPath, nullable, oneOf } from "../../platform/http/schemas.ts";
import type { ManagementDependencies } from "../access/dependencies.ts";
import { type Operation, operationFor } from "../operations/operation.ts";
import { listFieldOptions } from "./field-options.ts";

const operation = operationFor<ManagementDependencies>("Bots");

export const fieldOptionOperations: readonly Operation[] = [
  operation({
    id: "listFieldOptions",
    route: "POST /api/v1/bots/:botId/blocks/:blockId/options",
    params: Type.Object({ botId: idPath("bot.not_found"), blockId: Type.String({ examples: ["bl1"] }) }),
    body: Type.Object({
      field: Type.String({
        maxLength: 200,
        description: "Path of the field below `options`, without indexes in lists.",
      }),
    }),
    shows: true,
    answer: Type.Object({
      options: Type.Array(
        Type.Object({
          value: Type.String({ description: "The value to store." }),
          label: Type.String({ description: "Name of the option at the service." }),
        }),
        { description: "The options, in the service's order." },
      ),
      isCut: Type.Boolean({ description: "Whether the service has more options than the response lists." }),
      problem: described(
        nullable(
          Type.Object({
            reason: oneOf(["credentials", "missing", "failed"], {
              description:
                "`credentials`: the credentials do not exist or cannot be decrypted. `missing`: another field must be filled in first. `failed`: the service rejected the request or did not respond.",
            }),
            message: Type.String({
              description: "The problem in one sentence, with the service's own message if it has one, without keys.",
            }),
            field: described(nullable(Type.String()), "The option that has to be filled in first."),
          }),
        ),
        "The reason why there are no options; null if there are options.",
      ),
    }),
    errors: ["workspace.forbidden", "bot.archived", "block.not_found", "field.no_options"],
    handle: async (deps, { caller, params, body }) => listFieldOptions(deps, caller, { ...params, field: body.field }),
  }),
];
