/** The type of a member of an event's data. */
type Kind = "text" | "number" | "list" | "object";

export type EventDescription = {
  /** Its name in the builder. A language without a translation shows it in English. */
  readonly title: string;
  /** When Parley sends it, for the documentation; absent if its name says it. */
  readonly sentWhen?: string;
  /** The ids in its `data`: a result's `botId`, `resultId` and `sessionId`, or a bot's `botId` (null for the workspace's own). */
  readonly about: "result" | "bot";
  /** The member of `data` that has the content as an object; absent if the members of the content lie beside the ids. */
  readonly within?: string;
  /** The members of its content. */
  readonly content: Readonly<Record<string, Kind>>;
};

/**
 * Every event that an endpoint can subscribe to, in the order of a chat. `data` of an event has `workspaceId`, the ids of what the event
 * is about, and its content.
 */
export const events = {
  "result.started": {
    title: "A chat has its first answer",
    sentWhen: "the first reply of a result was accepted",
    about: "result",
    content: {},
  },
  "result.answered": {
    title: "A visitor answered",
    sentWhen: "each reply that was accepted",
    about: "result",
    within: "answer",
    content: { blockId: "text", groupId: "text", variableId: "text", content: "text", attachedFileUrls: "list" },
  },
  "result.completed": {
    title: "A chat was completed",
    sentWhen: "the flow of a result ends for the first time",
    about: "result",
    content: { variables: "list" },
  },
  // All visitors get another version: not for a canary before it is promoted.
  "bot.published": {
    title: "A bot was published",
    about: "bot",
    content: { publicId: "text", number: "number" },
  },
  "results.exported": {
    title: "An export is ready",
    sentWhen: "the file of an export is ready",
    about: "bot",
    content: { exportId: "text", format: "text", results: "number", bytes: "number" },
  },
  // Of the workspace, or, with `botId`, of a bot.
  "budget.reached": {
    title: "A model budget is nearly used up",
    sentWhen: "80 % or 100 % of a model budget is used",
    about: "bot",
    content: {
      ...{ scope: "text", period: "text", since: "text", unit: "text" },
      ...{ percent: "number", budget: "number", spent: "number" },
    },
  },
} as const satisfies Readonly<Record<string, EventDescription>>;

export type EventType = keyof typeof events;

/** In the order of the table. */
export const eventTypes: readonly EventType[] = Object.keys(events).filter((name): name is EventType =>
  Object.hasOwn(events, name),
);

type ContentOf<Content> = {
  readonly [Name in keyof Content]: Content[Name] extends "text"
    ? string
    : Content[Name] extends "number"
      ? number
      : object;
};

/** The content of an event, as its producer writes it. */
export type EventContent<Type extends EventType> = ContentOf<(typeof events)[Type]["content"]>;
