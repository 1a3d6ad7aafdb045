import { Type } from "@sinclair/typebox";
import { replySchemas } from "../../core/interpreter/program/message.ts";
import { inputSchemas, messageSchemas } from "../../management/operations/block-schemas.ts";
import type { AnswerEvents } from "../../platform/http/event-stream.ts";
import { Id, nullable, Timestamp } from "../../platform/http/schemas.ts";

export const Message = Type.Union([Type.String(), ...replySchemas, Type.Null()], {
  description: "The visitor's message: a text, or one of the object forms. Null or absent means no message.",
});

export const PrefilledVariables = Type.Record(Type.String(), Type.Unknown(), {
  description:
    "Values by variable name. Unknown names are ignored, with a log entry. Variables with `isPrefillable: false` are also ignored, and named in the header `Parley-Ignored`.",
});

export const ContentFormat = Type.Union([Type.Literal("richText"), Type.Literal("markdown")], {
  default: "richText",
  description: "Format of the text bubbles in this response.",
});

/** A message bubble. `type` is the type of its content. */
export const BubbleMessage = Type.Unsafe<{
  readonly id: string;
  readonly type: string;
  readonly content: unknown;
}>(Type.Union(messageSchemas, { $id: "Message", description: "A bubble of the chat, discriminated by `type`." }));

const Input = Type.Unsafe<{ readonly id: string; readonly type: string; readonly [part: string]: unknown }>(
  Type.Union(inputSchemas, { $id: "Input", description: "The open input, discriminated by `type`." }),
);

const ClientSideAction = Type.Object(
  {
    type: Type.String({ description: "The kind of action, which is also the key of its payload." }),
    lastBubbleBlockId: Type.Optional(
      Type.String({
        description: "Id of the last bubble before the action. Run the action after you have shown that bubble.",
      }),
    ),
    expectsDedicatedReply: Type.Optional(
      Type.Boolean({
        description: "Whether the chat waits for the result of the action. Send the result as `message`.",
      }),
    ),
  },
  {
    $id: "ClientSideAction",
    additionalProperties: true,
    description: "An action for the client. The key with the name in `type` contains the payload.",
  },
);

const LogEntry = Type.Object(
  {
    status: Type.Optional(
      Type.String({ description: "`success`, `info`, `warning` or `error`. Defaults to `error`." }),
    ),
    description: Type.String({ description: "Description in one sentence." }),
    details: Type.Optional(Type.Unknown({ description: "Further details." })),
    context: Type.Optional(Type.String({ description: "The type of block, such as `Condition`." })),
  },
  { $id: "LogEntry", description: "A log entry of this step, for the flow's author." },
);

const DynamicTheme = Type.Object(
  {
    hostAvatarUrl: Type.Optional(Type.String({ description: "URL of the bot's avatar." })),
    guestAvatarUrl: Type.Optional(Type.String({ description: "URL of the visitor's avatar." })),
    backgroundUrl: Type.Optional(Type.String({ description: "URL of the background picture." })),
  },
  { $id: "DynamicTheme", description: "Parts of the theme that variables have changed; absent if there are none." },
);

const progress = Type.Number({
  minimum: 0,
  maximum: 100,
  description: "Progress in percent. It is 100 only if the chat does not wait for anything.",
});

const goesOnAt = Type.Optional(
  Type.Unsafe<Date | string>({
    ...Timestamp,
    description: "Time at which the chat continues on its own; absent if it waits for an answer without a time limit.",
  }),
);

const canTryAgain = Type.Optional(
  Type.Boolean({
    description:
      "Whether the visitor can regenerate the model's answer to this step's reply: see `POST /api/v1/sessions/{sessionId}/tryAgain`. Defaults to false.",
  }),
);

/** The bounds of a step's number in a request. */
const revisionNumber = { minimum: 1, maximum: 2_147_483_647 };

export const ratingFields = {
  blockId: Type.String({
    description: "Id of the rated bubble, which is the id of the block that sent it.",
    minLength: 1,
  }),
  revision: Type.Integer({
    ...revisionNumber,
    description: "The number of the step that showed the bubble: see `steps` of the session.",
  }),
  isGood: nullable(
    Type.Boolean({ description: "Whether the visitor rated the answer as good; null if there is no rating." }),
  ),
  words: nullable(Type.String({ description: "The visitor's comment on the rating." })),
};

export const RatingSchema = Type.Object(ratingFields, {
  $id: "AnswerRating",
  description: "A visitor's rating of a language model's answer.",
});

/** Returns the schema for the number of the last step that the client has received. */
export function afterRevision(description: string) {
  return Type.Optional(Type.Integer({ ...revisionNumber, description }));
}

const stepFields = {
  revision: Type.Optional(
    Type.Integer({
      description:
        "The number of this step: 1 for the start, increased by one with each step. Send it as `afterRevision` with the next request. Absent in chats that started on a compatible path.",
    }),
  ),
  messages: Type.Array(BubbleMessage, { description: "The bot's messages, in the order in which clients show them." }),
  input: Type.Optional(Input),
  clientSideActions: Type.Array(ClientSideAction, {
    description: "Actions for the client, in the order in which the client performs them.",
  }),
  logs: Type.Array(LogEntry, { description: "Log entries for the author. Do not show them to visitors." }),
  dynamicTheme: Type.Optional(DynamicTheme),
  goesOnAt,
  repeated: Type.Optional(
    Type.Object(
      {
        messages: Type.Integer({ description: "Number of `messages`, counted from the first message." }),
        clientSideActions: Type.Integer({
          description: "Number of `clientSideActions`, counted from the first action.",
        }),
      },
      {
        description:
          "The part of this response that belongs to steps that ran without a request, for example because a time limit expired, and that the client has not seen before.",
      },
    ),
  ),
  progress,
};

const StartedBot = Type.Object(
  {
    id: Type.String({ description: "Id of the bot." }),
    version: Type.String({ description: "Version of the flow's format." }),
    theme: Type.Object({}, { additionalProperties: true, description: "Appearance of the chat: see Theme." }),
    settings: Type.Object(
      {},
      { additionalProperties: true, description: "The settings that clients need: see Settings." },
    ),
    name: Type.Optional(Type.String({ description: "The bot's name; absent in previews." })),
    publishedAt: Type.Optional(
      Type.Unsafe<Date | string>({
        ...Timestamp,
        description: "Time of publication; absent in previews of an unpublished bot.",
      }),
    ),
  },
  { $id: "StartedBot", description: "The bot of a chat, as clients receive it." },
);

const resultId = Type.Unsafe<string>({ ...Id, description: "Id of the result that stores the answers of this chat." });

export const Step = Type.Object(
  {
    ...stepFields,
    canTryAgain,
    lastMessageNewFormat: Type.Optional(
      Type.String({ description: "The stored form of the reply, if it differs from the sent reply." }),
    ),
  },
  { $id: "Step", description: "One step of a chat: the bot's messages up to the next input or the end." },
);

const blockId = Type.String({ description: "Id of the block that sends the bubble." });

/** The events of a streamed step. */
export const stepEvents: AnswerEvents = {
  events: {
    said: Type.Object({
      sessionId: Type.Optional(Type.String({ description: "Id of the session, on a start." })),
      messages: Type.Array(BubbleMessage, {
        description: "All messages of this step so far, in the order in which clients show them.",
      }),
    }),
    delta: Type.Object({ blockId, text: Type.String({ description: "Text to append to the block's bubble." }) }),
    restart: Type.Object({ blockId }, { description: "Empty the bubble, because the model is called again." }),
  },
  last: "step",
  when: " and the step takes time",
  mayContinue: true,
};

/** A step that goes back to an earlier step. */
export const StepBack = Type.Object(
  {
    ...stepFields,
    takenBack: Type.Object(
      {
        steps: Type.Number({
          description: "Number of steps that were removed from the end of the conversation.",
        }),
        reply: nullable(
          Type.Object({}, { additionalProperties: true, description: "The removed reply, as it was sent." }),
        ),
      },
      { description: "The removed part of the conversation." },
    ),
  },
  { $id: "StepBack", description: "The step that repeats the last answered input." },
);

/** The first step of a live chat. */
export const StartedChat = Type.Object(
  { sessionId: Id, resultId, bot: StartedBot, ...stepFields },
  { $id: "StartedChat", description: "The first step of a chat." },
);

/** The first step of a preview, which stores no result. */
export const StartedPreview = Type.Object(
  { sessionId: Id, bot: StartedBot, ...stepFields },
  { $id: "StartedPreview", description: "The first step of a preview." },
);

/** A step of a conversation: the visitor's reply and the bot's response. */
export const spokenFields = {
  revision: Type.Integer({ description: "The number of the step." }),
  createdAt: Timestamp,
  reply: nullable(
    Type.Object({}, { additionalProperties: true, description: "The visitor's message; null at the start." }),
  ),
  messages: Type.Array(BubbleMessage, { description: "The bot's messages." }),
  clientSideActions: Type.Array(ClientSideAction, { description: "Actions for the client." }),
  input: Type.Optional(Input),
  goesOnAt,
  canTryAgain,
  lastMessageNewFormat: Type.Optional(
    Type.String({ description: "The stored form of the reply, if it differs from the sent reply." }),
  ),
  files: Type.Optional(
    Type.Array(
      Type.Object({
        url: Type.String({ description: "URL of the file, as in the reply." }),
        name: Type.String({ description: "Name of the visitor's file." }),
      }),
      { description: "The visitor's files in the reply that are stored; absent if there are none." },
    ),
  ),
  isTimeOver: Type.Optional(
    Type.Boolean({
      description:
        "Whether the time limit of the question expired and the chat continued on its own: `reply` is then null.",
    }),
  ),
  paid: Type.Optional(
    Type.Object(
      {
        amount: Type.Optional(Type.Number({ description: "Amount in the main unit of the currency." })),
        currency: Type.Optional(Type.String({ description: "The code of the currency." })),
      },
      {
        description:
          "The visitor's payment, after which the chat continued on its own: `reply` is then null. Amount and currency are absent if the payment was erased.",
      },
    ),
  ),
};

/** The conversation of a session. */
export const History = Type.Object(
  {
    id: Id,
    resultId: nullable(resultId),
    revision: Type.Integer({
      description: "The number of the chat's last step: 1 for the start, increased by one with each step.",
    }),
    createdAt: Timestamp,
    expiresAt: Type.Unsafe<Date | string>({
      ...Timestamp,
      description: "Time at which the chat expires if there is no further message.",
    }),
    isEnded: Type.Boolean({ description: "Whether the chat has ended and accepts no more replies." }),
    bot: nullable(StartedBot),
    steps: Type.Array(Type.Object(spokenFields), { description: "The steps, oldest first." }),
    input: Type.Optional(Input),
    dynamicTheme: Type.Optional(DynamicTheme),
    progress,
    ratings: Type.Optional(
      Type.Array(RatingSchema, { description: "The visitor's ratings; absent if the bot does not accept ratings." }),
    ),
  },
  { $id: "Session", description: "The conversation so far, with everything that a client needs to display it again." },
);

export const stepExample = {
  messages: [
    {
      id: "bl1",
      type: "text",
      content: {
        type: "richText",
        richText: [{ type: "p", children: [{ text: "Ready, Ana?" }] }],
        html: "<p>Ready, Ana?</p>",
        plainText: "Ready, Ana?",
      },
    },
  ],
  input: {
    id: "bl2",
    type: "choice input",
    items: [
      { id: "it1", content: "Yes" },
      { id: "it2", content: "No" },
    ],
  },
  clientSideActions: [],
  logs: [],
  progress: 50,
};

export const startedBotExample = {
  id: "06ey3k2m5q8r1t4v7x0z9w2b5d",
  version: "6.1",
  theme: {},
  settings: { general: {} },
  publishedAt: "2026-08-22T06:05:06.000Z",
};
