import { type Static, Type } from "@sinclair/typebox";
import { GraphCoordinates, nullable } from "./envelope.ts";
import { helped, option, shownWhen, titled } from "./fields.ts";

/** The envelope of an event, which is the start of a chat or an entry point for a command or reply. */
export const EventSchema = Type.Object({
  id: Type.String({ title: "Id", description: "Id of the event, unique in the flow.", widget: "kept" }),
  type: nullable(Type.String({ description: "`start`, `command`, `reply` or `invalidReply`.", widget: "kept" })),
  graphCoordinates: GraphCoordinates,
  outgoingEdgeId: nullable(
    Type.String({ title: "Leads to", description: "Id of the edge to follow.", widget: "kept" }),
  ),
});

const ofCommands = { type: ["command"] };
const ofReplies = { type: ["reply", "invalidReply"] };

export const EventOptionsSchema = Type.Object({
  command: shownWhen(
    ofCommands,
    helped("Your page uses this name to send the command.", option.text("For `command`: the name of the command.")),
  ),
  resumeAfter: shownWhen(
    ofCommands,
    titled(
      "Go back afterwards",
      option.flag(
        "For `command`: whether the chat afterwards returns to the block that the command interrupted, without a Return block.",
      ),
    ),
  ),
  contentVariableId: shownWhen(
    ofReplies,
    titled(
      "Save reply in",
      option.variable("For `reply` and `invalidReply`: id of the variable that stores the reply."),
    ),
  ),
  inputNameVariableId: shownWhen(
    ofReplies,
    titled(
      "Save the group's title in",
      option.variable("For `reply` and `invalidReply`: id of the variable that stores the title of the input's group."),
    ),
  ),
  inputTypeVariableId: shownWhen(
    ofReplies,
    titled(
      "Save the input's type in",
      option.variable("For `reply` and `invalidReply`: id of the variable that stores the type of the input."),
    ),
  ),
});

export type EventOptions = Static<typeof EventOptionsSchema>;
