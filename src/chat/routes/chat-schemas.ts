import { Type } from "@sinclair/typebox";
import { replySchemas } from "../../core/interpreter/program/message.ts";
import { inputSchemas, messageSchemas } from "../../management/operations/block-schemas.ts";
import { Id, nullable, Timestamp } from "../../platform/http/schemas.ts";

export const Message = Type.Union([Type.String(), ...replySchemas, Type.Null()], {
  description: "What the visitor says: a text, or one of the object forms; null or absent says nothing.",
});

export const PrefilledVariables = Type.Record(Type.String(), Type.Unknown(), {
  description: "Values by variable name. Names that the flow does not have are ignored, with a log entry.",
});

export const ContentFormat = Type.Union([Type.Literal("richText"), Type.Literal("markdown")], {
  default: "richText",
  description: "How text bubbles of this response are shaped.",
});

/** A bubble; `type` names the kind of its content. */
export const BubbleMessage = Type.Unsafe<{
  readonly id: string;
  readonly type: string;
  readonly content: unknown;
}>(Type.Union(messageSchemas, { $id: "Message", description: "A bubble that the chat shows; `type` tells which." }));

const Input = Type.Unsafe<{ readonly id: string; readonly type: string; readonly [part: string]: unknown }>(
  Type.Union(inputSchemas, { $id: "Input", description: "What the visitor is asked; `type` tells how." }),
);

const ClientSideAction = Type.Object(
  {
    type: Type.String({ description: "What is to be done, and the key that the payload stands under." }),
    lastBubbleBlockId: Type.Optional(
      Type.String({ description: "Id of the last bubble before it: it is done once that is shown." }),
    ),
    expectsDedicatedReply: Type.Optional(
      Type.Boolean({ description: "Whether the chat waits for what comes of it: reply with it as `message`." }),
    ),
  },
  {
    $id: "ClientSideAction",
    additionalProperties: true,
    description: "What the client is asked to do; the payload stands under the key named by `type`.",
  },
);

const LogEntry = Type.Object(
  {
    status: Type.Optional(Type.String({ description: "`success`, `info`, `warning` or `error`; absent: an error." })),
    description: Type.String({ description: "What happened, in a sentence." }),
    details: Type.Optional(Type.Unknown({ description: "What there is to know besides." })),
    context: Type.Optional(Type.String({ description: "Where it happened, such as `Condition`." })),
  },
  { $id: "LogEntry", description: "What the author of the flow should know of this step." },
);

const DynamicTheme = Type.Object(
  {
    hostAvatarUrl: Type.Optional(Type.String({ description: "Address of the picture beside the bot's bubbles." })),
    guestAvatarUrl: Type.Optional(Type.String({ description: "Address of the picture beside the visitor's answers." })),
    backgroundUrl: Type.Optional(Type.String({ description: "Address of the picture behind the chat." })),
  },
  { $id: "DynamicTheme", description: "Parts of the theme that variables have changed; absent where none has." },
);

const progress = Type.Number({
  minimum: 0,
  maximum: 100,
  description: "Percent; 100 only when nothing more is awaited.",
});

const stepFields = {
  messages: Type.Array(BubbleMessage, { description: "What the bot says, in this order." }),
  input: Type.Optional(Input),
  clientSideActions: Type.Array(ClientSideAction, { description: "What the client is asked to do, in this order." }),
  logs: Type.Array(LogEntry, { description: "What the author should know; visitors need none of it." }),
  dynamicTheme: Type.Optional(DynamicTheme),
  progress,
};

const StartedBot = Type.Object(
  {
    id: Type.String({ description: "Id of the bot." }),
    version: Type.String({ description: "The version of the format that its flow is written in." }),
    theme: Type.Object({}, { additionalProperties: true, description: "How the chat looks: see Theme." }),
    settings: Type.Object(
      {},
      { additionalProperties: true, description: "What clients need of the settings: see Settings." },
    ),
    name: Type.Optional(Type.String({ description: "The bot's name; absent in previews." })),
    publishedAt: Type.Optional(
      Type.Unsafe<Date | string>({
        ...Timestamp,
        description: "When this version was published; absent in previews of what never was.",
      }),
    ),
  },
  { $id: "StartedBot", description: "The bot that a chat is with, as clients get it." },
);

const resultId = Type.Unsafe<string>({ ...Id, description: "Id of the result that keeps the answers of this chat." });

/** One step of a chat. */
export const Step = Type.Object(
  {
    ...stepFields,
    lastMessageNewFormat: Type.Optional(
      Type.String({ description: "The reply as it was stored, where that differs." }),
    ),
  },
  { $id: "Step", description: "One step of a chat: what the bot says and asks, up to the next input or the end." },
);

/** The step that goes back to an earlier one. */
export const StepBack = Type.Object(
  {
    ...stepFields,
    takenBack: Type.Object(
      {
        steps: Type.Number({
          description: "How many steps at the end of the conversation are no part of it any more.",
        }),
        reply: nullable(
          Type.Object(
            {},
            { additionalProperties: true, description: "The reply that was taken back, as it was sent." },
          ),
        ),
      },
      { description: "What is no part of the conversation any more." },
    ),
  },
  { $id: "StepBack", description: "The step that asks again what the last answer was given to." },
);

/** The first step of a live chat. */
export const StartedChat = Type.Object(
  { sessionId: Id, resultId, bot: StartedBot, ...stepFields },
  { $id: "StartedChat", description: "The first step of a chat." },
);

/** The first step of a preview: nothing is stored as a result. */
export const StartedPreview = Type.Object(
  { sessionId: Id, bot: StartedBot, ...stepFields },
  { $id: "StartedPreview", description: "The first step of a preview." },
);

/** The conversation of a session. */
export const History = Type.Object(
  {
    id: Id,
    resultId: nullable(resultId),
    createdAt: Timestamp,
    expiresAt: Type.Unsafe<Date | string>({
      ...Timestamp,
      description: "When it ends, unless the visitor says something before.",
    }),
    isEnded: Type.Boolean({ description: "Whether the chat has ended: it takes no reply any more." }),
    bot: nullable(StartedBot),
    steps: Type.Array(
      Type.Object({
        createdAt: Timestamp,
        reply: nullable(
          Type.Object({}, { additionalProperties: true, description: "What the visitor said; null at the start." }),
        ),
        messages: Type.Array(BubbleMessage, { description: "What the bot said then." }),
        clientSideActions: Type.Array(ClientSideAction, { description: "What the client was asked to do." }),
        input: Type.Optional(Input),
        lastMessageNewFormat: Type.Optional(
          Type.String({ description: "The reply as it was stored, where that differs." }),
        ),
      }),
      { description: "Everything that was said, in this order." },
    ),
    input: Type.Optional(Input),
    dynamicTheme: Type.Optional(DynamicTheme),
    progress,
  },
  { $id: "Session", description: "A chat so far: enough to draw it again." },
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
