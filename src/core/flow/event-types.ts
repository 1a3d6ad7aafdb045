import { type TObject, type TSchema, Type } from "@sinclair/typebox";
import type { BlockEditor } from "../interpreter/program/block-editor.ts";
import { EventOptionsSchema } from "../interpreter/schemas/events.ts";

/** A type of event as editors list it, together with the block types. */
export type EventType = {
  readonly type: string;
  readonly summary: string;
  readonly schema: TObject;
  readonly editor: BlockEditor;
};

const { command, resumeAfter, contentVariableId, inputNameVariableId, inputTypeVariableId } =
  EventOptionsSchema.properties;
const replyOptions = { contentVariableId, inputNameVariableId, inputTypeVariableId };

export const eventTypes: readonly EventType[] = [
  {
    type: "start",
    summary: "The start of a chat.",
    schema: Type.Object({}),
    editor: {
      name: "Start",
      icon: "play",
      words: ["begin", "entry", "first"],
      row: ["When a chat begins"],
      related: [],
    },
  },
  {
    type: "command",
    summary: "Runs when the chat's page sends a command, even while the chat waits for something else.",
    schema: withOptions({ command, resumeAfter }),
    editor: {
      name: "Command",
      icon: "terminal",
      words: ["event", "page", "trigger", "api"],
      row: ["{options.command}"],
      related: [],
    },
  },
  {
    type: "reply",
    summary:
      "Runs with each reply. If the flow has an event for invalid replies, rejected replies start that event instead.",
    schema: withOptions(replyOptions),
    editor: {
      name: "Reply",
      icon: "reply",
      words: ["event", "answer", "message", "every"],
      row: ["{options.contentVariableId}", "With each reply"],
      related: ["invalidReply"],
    },
  },
  {
    type: "invalidReply",
    summary: "Runs with each rejected reply. The input is repeated only if a Return block follows.",
    schema: withOptions(replyOptions),
    editor: {
      name: "Invalid reply",
      icon: "message-square-warning",
      words: ["event", "answer", "wrong", "refused"],
      row: ["{options.contentVariableId}", "With each rejected reply"],
      related: ["reply"],
    },
  },
];

function withOptions(properties: Readonly<Record<string, TSchema>>): TObject {
  return Type.Object({ options: Type.Optional(Type.Object({ ...properties })) });
}
