import { Type } from "@sinclair/typebox";
import { textOption, writtenVariableOption } from "../options.ts";

const why = "Kept for the action `Generate variables`, which is not served yet.";

/** What the action `Generate variables` is stored with. */
export const extractionOptions = {
  prompt: textOption(why),
  variablesToExtract: Type.Optional(
    Type.Array(
      Type.Object({
        type: textOption(why),
        variableId: writtenVariableOption(why),
        description: textOption(why),
        isRequired: Type.Optional(Type.Boolean({ description: why })),
      }),
      { description: why },
    ),
  ),
};
