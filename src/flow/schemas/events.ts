import { type Static, Type } from "@sinclair/typebox";
import { flagOption, textOption } from "../../interpreter/fields.ts";
import { GraphCoordinates, nullable } from "./envelope.ts";

/** The envelope of an event: the start of a chat, or what runs on a command or a reply. */
export const EventSchema = Type.Object({
  id: Type.String({ description: "Its id, unique among the events of the flow." }),
  type: nullable(Type.String({ description: "`start`, `command`, `reply` or `invalidReply`." })),
  graphCoordinates: GraphCoordinates,
  outgoingEdgeId: nullable(Type.String({ description: "Id of the edge that the chat takes then." })),
});

export const EventOptionsSchema = Type.Object({
  command: textOption("`command`: the command that it listens for."),
  resumeAfter: flagOption("`command`: whether the chat goes back to where it was, without a Return block."),
  contentVariableId: textOption("`reply`, `invalidReply`: id of the variable that the reply is written to."),
  inputNameVariableId: textOption("`reply`, `invalidReply`: id of the variable for the title of the input's group."),
  inputTypeVariableId: textOption("`reply`, `invalidReply`: id of the variable for the type of the input."),
});

export type EventOptions = Static<typeof EventOptionsSchema>;
