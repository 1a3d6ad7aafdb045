import type { StepToSave } from "../../../src/chat/saves/records.ts";
import { newId } from "../../../src/platform/ids.ts";

/** A step as saved by a chat of five questions, for measuring only the save. */
export type StepOfSession = StepToSave;

export function firstStep({
  sessionId,
  resultId,
  botId,
}: {
  sessionId: string;
  resultId: string;
  botId: string;
}): StepOfSession {
  const content = "Bread and butter";
  return {
    sessionId,
    botId,
    resultId,
    revision: 1,
    stepId: newId(),
    key: null,
    requestHash: "00".repeat(32),
    reply: JSON.stringify({ type: "text", text: content }),
    response: responseOfChat,
    state: stateOfChat,
    isEnded: false,
    answers: [{ resultId, botId, blockId: "in2", groupId: "gr2", variableId: "va2", content, attachedFileUrls: null }],
    results: [{ resultId, botId, variables: JSON.stringify(variablesOfChat), hasStarted: true, isCompleted: false }],
    logs: [],
    jobs: [],
    visitedEdgeIds: [],
    visitedBefore: 0,
    wasRead: true,
    hasEventEndpoints: false,
  };
}

export const variablesOfChat = [
  { id: "va0", name: "Name", value: "Ada Lovelace" },
  { id: "va1", name: "City", value: "London" },
  { id: "va2", name: "Food", value: "Bread and butter" },
];

/** The state that the interpreter writes for such a chat. */
export const stateOfChat = JSON.stringify({
  format: 1,
  queue: [
    {
      program: `${"0".repeat(26)}:${"0".repeat(64)}`,
      botId: "0".repeat(26),
      resultId: "0".repeat(26),
      written: variablesOfChat.map(({ id, value }) => [id, value]),
      answers: variablesOfChat.map(({ name, value }) => [name, value]),
      queuedHops: [],
      isMerging: false,
    },
  ],
  blockId: "in3",
  visitedEdges: 0,
  totalAnswers: 3,
  progress: 60,
  isStreamEnabled: false,
});

const words = "Thank you, Bread and butter. And your colour, Ada Lovelace?";
export const responseOfChat = JSON.stringify({
  messages: [
    {
      id: "tx3",
      type: "text",
      content: {
        type: "richText",
        richText: [{ type: "p", children: [{ text: words }] }],
        html: `<p>${words}</p>`,
        plainText: words,
      },
    },
  ],
  input: { id: "in3", outgoingEdgeId: "ed4", type: "text input", options: { variableId: "va3" } },
  clientSideActions: [],
  logs: [],
  progress: 60,
});
