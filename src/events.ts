/** A sample value. It has the same type as the member, but the member may also be null. */
type Sample = string | number | boolean | readonly Sample[] | { readonly [member: string]: Sample };

export type EventDescription = {
  /** The event's name in the builder. Languages without a translation show the English name. */
  readonly title: string;
  /** When Parley sends the event, for the documentation. Absent if the title is clear enough. */
  readonly sentWhen?: string;
  /**
   * The ids in the event's `data`: a result's `botId`, `resultId` and `sessionId`, a bot's `botId` (null for the
   * workspace), or no ids.
   */
  readonly about: "result" | "bot" | "workspace";
  /**
   * The member of `data` that contains the event's content. If absent, the content's members are next to the ids in
   * `data`.
   */
  readonly within?: string;
  /**
   * Whether an endpoint receives the event only if it names the event explicitly, because there is an event for each
   * message.
   */
  readonly isOnlyNamed?: true;
  /** The members of the event's content, each with a sample value. */
  readonly content: Readonly<Record<string, Sample>>;
};

const sampleId = "01m86s2yspwrm4nk4tq79511gk";

/**
 * All events to which an endpoint can subscribe. `data` contains `workspaceId`, the ids of the event's subject, and its
 * content. An endpoint stores the list of its event types, so an existing endpoint does not receive event types that a
 * later release adds.
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
    content: {
      ...{ blockId: "sample-block", groupId: "sample-group", variableId: "sample-variable" },
      ...{ content: "ada@example.com", attachedFileUrls: [] },
    },
  },
  "result.completed": {
    title: "A chat was completed",
    sentWhen: "the flow of a result ends for the first time",
    about: "result",
    content: { variables: [{ id: "sample-variable", name: "Email", value: "ada@example.com" }] },
  },
  "payment.succeeded": {
    title: "A visitor paid",
    sentWhen: "the provider confirms a payment, even if the chat has already continued without the payment",
    about: "result",
    within: "payment",
    content: { paymentId: sampleId, blockId: "sample-block", amount: 12.5, currency: "EUR", mode: "live" },
  },
  "answer.rated": {
    title: "A visitor rated an answer",
    sentWhen: "a visitor rates an answer of a language model, or changes or removes the rating (`isGood` is then null)",
    about: "result",
    within: "rating",
    content: { blockId: "sample-block", revision: 2, isGood: true, words: "Just what I needed" },
  },
  // Only sent for started results, because receivers usually do not know results that were not started.
  "result.deleted": {
    title: "A result was deleted",
    sentWhen: "a result with an answer is moved to the bin",
    about: "result",
    content: {},
  },
  // Contains only ids. The receiver must erase its data and should not receive more data.
  "result.erased": {
    title: "A result was erased",
    sentWhen: "the content of a result with an answer is erased permanently",
    about: "result",
    content: {},
  },
  // Sent when all visitors get another version. For a canary release, this is when it is promoted.
  "bot.published": {
    title: "A bot was published",
    about: "bot",
    content: { publicId: "my-bot", number: 3 },
  },
  "bot.unpublished": {
    title: "A bot was unpublished",
    about: "bot",
    content: { publicId: "my-bot" },
  },
  "bot.deleted": {
    title: "A bot was deleted",
    sentWhen: "a bot is moved to the bin, alone or with its folder",
    about: "bot",
    content: { name: "My bot" },
  },
  "publication.failed": {
    title: "A bot could not be published",
    sentWhen: "publishing was rejected because of errors in the flow or failed test conversations",
    about: "bot",
    content: { code: "flow.broken", problems: ["no_start"], userId: sampleId },
  },
  "bot.failing": {
    title: "A bot fails far more often than usual",
    sentWhen:
      "at least five chats that started within an hour had errors, and their share is far above the share of the week before; at most once a day for each bot",
    about: "bot",
    content: { chats: 120, failedChats: 60, percent: 50, usualPercent: 0.4 },
  },
  "results.exported": {
    title: "An export is ready",
    sentWhen: "the file of an export is ready",
    about: "bot",
    content: { exportId: sampleId, format: "csv", results: 120, bytes: 48_000 },
  },
  "export.finished": {
    title: "An export is ready or has failed",
    sentWhen: "an export has ended, with the `status` `ready` or `failed`",
    about: "bot",
    content: { exportId: sampleId, format: "csv", status: "ready", results: 120, problem: "" },
  },
  "member.added": {
    title: "A member joined the workspace",
    about: "workspace",
    content: { userId: sampleId, role: "MEMBER" },
  },
  "member.changed": {
    title: "A member has another role",
    about: "workspace",
    content: { userId: sampleId, role: "ADMIN" },
  },
  "member.removed": {
    title: "A member left the workspace",
    sentWhen: "a member leaves or is removed, with the last `role`",
    about: "workspace",
    content: { userId: sampleId, role: "MEMBER" },
  },
  // Sent for a budget of the workspace or, with `botId`, for a budget of a bot.
  "budget.reached": {
    title: "A model budget is used up or nearly used up",
    sentWhen: "80 % or 100 % of a model budget is used",
    about: "bot",
    content: {
      ...{ scope: "bot", period: "month", since: "2026-01-01", unit: "tokens" },
      ...{ percent: 80, budget: 1_000_000, spent: 800_000 },
    },
  },
  "storage.full": {
    title: "No more files are accepted today",
    sentWhen:
      "the first file of a day is rejected because visitors have uploaded as much as `ANONYMOUS_MEGABYTES_A_DAY` allows to the workspace; `day` is in UTC",
    about: "workspace",
    content: { day: "2026-08-22", megabytes: 20_000 },
  },
  "credentials.failing": {
    title: "A provider rejects credentials",
    sentWhen:
      "a provider rejected a key or a connected account in a live chat, at most once an hour for the same credentials",
    about: "workspace",
    content: {
      ...{ credentialsId: sampleId, type: "openai", name: "Our account" },
      ...{ problem: "Incorrect API key provided: •••" },
    },
  },
  "message.received": {
    title: "A contact wrote on a messenger",
    sentWhen: "a message of a contact was processed; `state` says whether it was passed to a bot",
    about: "workspace",
    isOnlyNamed: true,
    content: {
      ...{ connectionId: sampleId, channel: "telegram", contactId: sampleId, messageId: sampleId },
      ...{ kind: "message", text: "Two, please", state: "done", sessionId: sampleId },
    },
  },
  "message.sent": {
    title: "A messenger accepted a message",
    sentWhen: "the messenger accepted a message to a contact",
    about: "workspace",
    isOnlyNamed: true,
    content: {
      ...{ connectionId: sampleId, channel: "telegram", contactId: sampleId, messageId: sampleId },
      ...{ providerId: "4711" },
    },
  },
  "message.failed": {
    title: "A message to a contact failed",
    sentWhen: "a message to a contact has failed and is not retried",
    about: "workspace",
    isOnlyNamed: true,
    content: {
      ...{ connectionId: sampleId, channel: "telegram", contactId: sampleId, messageId: sampleId },
      ...{ class: "unreachable", code: "403" },
    },
  },
  "conversation.started": {
    title: "A chat started on a messenger",
    sentWhen: "a contact's message started a chat with a bot",
    about: "workspace",
    content: {
      ...{ connectionId: sampleId, channel: "telegram", contactId: sampleId },
      ...{ botId: sampleId, sessionId: sampleId, resultId: sampleId },
    },
  },
  "contact.opted_out": {
    title: "A contact opted out of messages",
    sentWhen: "a contact sent a word that stops messages",
    about: "workspace",
    content: { connectionId: sampleId, channel: "telegram", contactId: sampleId },
  },
  "channel_connection.disabled": {
    title: "A connection to a messenger was disabled",
    sentWhen: "a connection was disabled by a person, or because the messenger rejected its secrets for a day",
    about: "workspace",
    content: { connectionId: sampleId, channel: "telegram", name: "Tea shop", reason: "refused" },
  },
} as const satisfies Readonly<Record<string, EventDescription>>;

export type EventType = keyof typeof events;

/** All event types, in the order of `events`. */
export const eventTypes: readonly EventType[] = Object.keys(events).filter((name): name is EventType =>
  Object.hasOwn(events, name),
);

/** The event types of an endpoint that is created without event types. */
export const usualEventTypes: readonly EventType[] = eventTypes.filter((type) => {
  const { isOnlyNamed }: EventDescription = events[type];
  return isOnlyNamed !== true;
});

type ContentOf<Content> = {
  readonly [Name in keyof Content]: Content[Name] extends string
    ? string
    : Content[Name] extends number
      ? number
      : Content[Name] extends boolean
        ? boolean
        : object;
};

/** The content of an event as its producer writes it. */
export type EventContent<Type extends EventType> = ContentOf<(typeof events)[Type]["content"]>;
