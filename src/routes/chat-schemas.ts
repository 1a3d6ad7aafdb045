import { Type } from "@sinclair/typebox";
import { blocks } from "../blocks/index.ts";
import { FlowPartsSchema } from "../flow/document.ts";
import { Id, nullable, Timestamp } from "./http/schemas.ts";

const Details = Type.Object({}, { additionalProperties: true });

export const Message = Type.Union(
  [
    Type.String(),
    Type.Object({
      type: Type.Literal("text"),
      text: Type.String(),
      attachedFileUrls: Type.Optional(Type.Array(Type.String())),
      metadata: Type.Optional(Type.Object({ replyId: Type.Optional(Type.String()) })),
    }),
    Type.Object({ type: Type.Literal("audio"), url: Type.String() }),
    Type.Object({ type: Type.Literal("command"), command: Type.String() }),
    Type.Null(),
  ],
  { description: "What the visitor says: a text, or one of the object forms; null or absent says nothing." },
);

export const PrefilledVariables = Type.Record(Type.String(), Type.Unknown(), {
  description: "Values by variable name. Names that the flow does not have are ignored, with a log entry.",
});

const { version, events, groups, edges, variables, theme, settings } = FlowPartsSchema.properties;

/** Shown by the documentation, checked by the service: it knows more of flows than a schema can say. */
export const SuppliedFlow = Type.Unknown({
  ...Type.Object({
    version,
    id: Type.Optional(Type.String({ description: "Accepted from existing clients, and ignored." })),
    events,
    groups,
    edges,
    variables,
    theme,
    settings,
  }),
  description: "A flow to run instead of the draft. Every part may be left out.",
});

export const ContentFormat = Type.Union([Type.Literal("richText"), Type.Literal("markdown")], {
  default: "richText",
  description: "How text bubbles of this response are shaped.",
});

const bubbleTypes = [...blocks.values()].filter(({ bubble }) => bubble).map(({ type }) => type);

export const BubbleMessage = Type.Object({
  id: Type.String(),
  type: Type.Union([...bubbleTypes, "custom-embed"].map((word) => Type.Literal(word))),
  content: Details,
  notice: Type.Optional(
    Type.Object(
      { code: Type.String() },
      {
        additionalProperties: true,
        description: "What a sentence of the service itself says, for clients that have words of their own for it.",
      },
    ),
  ),
});

const Input = Type.Object(
  { id: Type.String(), type: Type.String() },
  { additionalProperties: true, description: "What the visitor is asked." },
);

const ClientSideAction = Type.Object(
  {
    type: Type.String(),
    lastBubbleBlockId: Type.Optional(Type.String()),
    expectsDedicatedReply: Type.Optional(Type.Boolean()),
  },
  {
    additionalProperties: true,
    description: "What the client is asked to do; the payload stands under the key named by `type`.",
  },
);

const LogEntry = Type.Object({
  status: Type.Optional(Type.String()),
  description: Type.String(),
  details: Type.Optional(Type.Unknown()),
  context: Type.Optional(Type.String()),
});

const DynamicTheme = Type.Object({
  hostAvatarUrl: Type.Optional(Type.String()),
  guestAvatarUrl: Type.Optional(Type.String()),
  backgroundUrl: Type.Optional(Type.String()),
});

const stepFields = {
  messages: Type.Array(BubbleMessage),
  input: Type.Optional(Input),
  clientSideActions: Type.Array(ClientSideAction),
  logs: Type.Array(LogEntry),
  dynamicTheme: Type.Optional(DynamicTheme),
  progress: Type.Number({ minimum: 0, maximum: 100, description: "Percent; 100 only when nothing more is awaited." }),
};

const StartedBot = Type.Object({
  id: Type.String(),
  version: Type.String(),
  theme: Details,
  settings: Details,
  name: Type.Optional(Type.String({ description: "The bot's name; absent in previews." })),
  publishedAt: Type.Optional(Timestamp),
});

/** One step of a chat. */
export const Step = Type.Object(
  {
    ...stepFields,
    lastMessageNewFormat: Type.Optional(
      Type.String({ description: "The reply as it was stored, where that differs." }),
    ),
  },
  { $id: "Step" },
);

/** The step that goes back to an earlier one. */
export const StepBack = Type.Object(
  {
    ...stepFields,
    takenBack: Type.Object({
      steps: Type.Number({ description: "How many steps at the end of the conversation are no part of it any more." }),
      reply: nullable(Details),
    }),
  },
  { $id: "StepBack" },
);

/** The first step of a live chat. */
export const StartedChat = Type.Object(
  { sessionId: Id, resultId: Id, bot: StartedBot, ...stepFields },
  { $id: "StartedChat" },
);

/** The first step of a preview: nothing is stored as a result. */
export const StartedPreview = Type.Object({ sessionId: Id, bot: StartedBot, ...stepFields }, { $id: "StartedPreview" });

/** What was said in a session. */
export const History = Type.Object(
  {
    id: Id,
    resultId: nullable(Id),
    createdAt: Timestamp,
    expiresAt: Timestamp,
    isEnded: Type.Boolean(),
    bot: nullable(StartedBot),
    steps: Type.Array(
      Type.Object({
        createdAt: Timestamp,
        reply: nullable(Details),
        messages: Type.Array(BubbleMessage),
        clientSideActions: Type.Array(ClientSideAction),
        input: Type.Optional(Input),
        lastMessageNewFormat: Type.Optional(Type.String()),
      }),
    ),
    input: Type.Optional(Input),
    dynamicTheme: Type.Optional(DynamicTheme),
    progress: Type.Number({ minimum: 0, maximum: 100 }),
  },
  { $id: "Session" },
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
