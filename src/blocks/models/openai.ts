import { Type } from "@sinclair/typebox";
import { codeOption, hiddenFromGuests, numberOption, textOption, writtenVariableOption } from "../options.ts";
import { defineChatCompletion } from "./chat-completion.ts";
import { extractionOptions } from "./extraction-options.ts";

const keptText = () => textOption("Kept for actions that are not served yet.");

export const openai = defineChatCompletion({
  type: "openai",
  provider: "OpenAI, or of any server that speaks its language",
  kept: {
    ...extractionOptions,
    message: keptText(),
    instructions: keptText(),
    responseIdVariableId: writtenVariableOption("Kept for actions that are not served yet."),
    fileSearchVectorStoreIds: Type.Optional(Type.Unknown({ description: "Kept for actions that are not served yet." })),
    fileSearchMaxNumResults: numberOption("Kept for actions that are not served yet."),
    fileSearchScoreThreshold: numberOption("Kept for actions that are not served yet."),
    webSearchEnabled: Type.Optional(Type.Boolean({ description: "Kept for actions that are not served yet." })),
    codeInterpreterEnabled: Type.Optional(Type.Boolean({ description: "Kept for actions that are not served yet." })),
    functions: Type.Optional(
      Type.Array(
        Type.Object({
          name: keptText(),
          code: hiddenFromGuests(codeOption("Kept for actions that are not served yet.")),
        }),
        {
          description: "Kept for actions that are not served yet.",
        },
      ),
    ),
    assistantId: keptText(),
    threadVariableId: writtenVariableOption("Kept for actions that are not served yet."),
    additionalInstructions: keptText(),
    input: keptText(),
    voice: keptText(),
    saveUrlInVariableId: writtenVariableOption("Kept for actions that are not served yet."),
    url: keptText(),
    transcriptionVariableId: writtenVariableOption("Kept for actions that are not served yet."),
  },
});
