import { Type } from "@sinclair/typebox";
import { checkNames, checkProblems } from "../../core/channels/channel.ts";
import { channels } from "../../core/channels/index.ts";
import { comparisonOperators } from "../../core/interpreter/language/comparison.ts";
import { limits } from "../../limits/index.ts";
import {
  described,
  exampleId,
  Id,
  IdInput,
  nullable,
  oneOf,
  resource,
  Timestamp,
} from "../../platform/http/schemas.ts";

export const channelWords = [...channels.keys()];

const JsonMap = (description: string) => Type.Record(Type.String(), Type.Unknown(), { description });

const Comparison = Type.Object({
  id: Type.Optional(Type.String({ maxLength: 64, description: "Id of the comparison." })),
  comparisonOperator: Type.Optional(oneOf(comparisonOperators, { description: "The operator." })),
  value: Type.Optional(Type.String({ maxLength: 1_000, description: "The value." })),
});

const StartCondition = Type.Object(
  {
    logicalOperator: Type.Optional(
      oneOf(["AND", "OR"], { default: "AND", description: "Whether all comparisons hold, or one." }),
    ),
    comparisons: Type.Optional(
      Type.Array(Comparison, {
        maxItems: 100,
        description: "Comparisons of the first message; without one the bot starts with every message.",
      }),
    ),
  },
  { description: "First messages that start the bot; absent: those of the bot's settings." },
);

const botOf = (id: typeof IdInput) => ({
  botId: id,
  isEnabled: Type.Boolean({ default: true, description: "Whether the bot is asked." }),
  startCondition: Type.Optional(StartCondition),
  sessionExpiryTimeout: Type.Optional(
    Type.Number({
      minimum: 0.01,
      maximum: 48,
      description: "Hours without a message until a chat ends; absent: those of the bot's settings.",
    }),
  ),
});

const botsDescription =
  "The bots that are asked, in this order: the first whose condition holds answers, else the first without a condition. Bots whose `messengerCredentialsId` is this connection's id come after them.";

export const ConnectionBots = Type.Array(
  Type.Object(botOf(Id), { $id: "ChannelBot", description: "A bot that a connection asks." }),
  {
    description: botsDescription,
  },
);

export const ConnectionBotsInput = Type.Array(
  Type.Object({
    ...botOf(IdInput),
    isEnabled: Type.Optional(Type.Boolean({ default: true, description: "Whether the bot is asked." })),
  }),
  { maxItems: limits.channels.bots, description: botsDescription },
);

export const SettingsInput = JsonMap(
  "The open part; `GET /api/v1/channel-types` has its schema. In a change, members that you leave out stay, and null removes one.",
);
export const SecretsInput = JsonMap(
  "The encrypted part; `GET /api/v1/channel-types` has its schema. The service makes the secrets of `madeSecrets` itself.",
);

export const MadeSecrets = Type.Record(Type.String(), Type.String(), {
  description: "The secrets that the service has made, in full. They are returned only here.",
});

export const ChannelConnectionSchema = resource(
  "ChannelConnection",
  {
    id: Id,
    workspaceId: Id,
    channel: oneOf(channelWords, { description: "The kind of messenger." }),
    name: Type.String({ description: "Its name in the workspace." }),
    externalId: Type.String({ description: "The messenger's own id of the account, or the connection's." }),
    display: nullable(Type.String({ description: "The name by which contacts know it, such as `@tea_bot`." })),
    settings: JsonMap("Its settings, without those that have their defaults."),
    secrets: Type.Record(
      Type.String(),
      Type.Object({
        isSet: Type.Boolean({ description: "Whether it is there." }),
        ends: Type.Optional(Type.String({ description: "Its last characters; absent for short ones." })),
      }),
      { description: "The visible part of each secret." },
    ),
    bots: ConnectionBots,
    isEnabled: Type.Boolean({ description: "Whether bots answer on it." }),
    disabledReason: nullable(
      Type.String({
        description:
          "Why it is disabled: `by_hand`, `unregistered`, `imported` (it comes from another server, without secrets), `restored` (the database comes from a backup), `moved` (it was enabled at another address), `refused` (the messenger refused its secrets for a day) or `workspace_deleted`.",
      }),
    ),
    previousUntil: described(nullable(Timestamp), "Time until which the former secrets sign calls; null: they do not."),
    webhookUrl: nullable(
      Type.String({ description: "Address that the messenger calls; null where this service asks for messages." }),
    ),
    lastInboundAt: described(nullable(Timestamp), "Time of the last message of a contact."),
    lastOutboundAt: described(nullable(Timestamp), "Time of the last message to a contact."),
    failingSince: described(
      nullable(Timestamp),
      "Time since which the messenger refuses all messages; null: it does not.",
    ),
    pausedUntil: described(nullable(Timestamp), "Time until which messages wait, since the messenger refused them."),
    createdAt: Timestamp,
    updatedAt: Timestamp,
  },
  "An account of a messenger on which bots answer.",
  {
    channel: "telegram",
    name: "Tea shop",
    externalId: "123456789",
    display: "@tea_bot",
    settings: { transport: "webhook" },
    secrets: { botToken: { isSet: true, ends: "4f2a" }, secretToken: { isSet: true, ends: "9x-Q" } },
    bots: [{ botId: exampleId, isEnabled: true }],
    isEnabled: true,
    disabledReason: null,
    previousUntil: null,
    webhookUrl: `https://chat.example.com/api/v1/channels/${exampleId}/webhook`,
    lastInboundAt: null,
    lastOutboundAt: null,
    failingSince: null,
    pausedUntil: null,
  },
);

export const CheckSchema = Type.Array(
  Type.Object({
    name: oneOf(checkNames, {
      description:
        "`secrets`: the messenger knows them. `account`: they are of this account. `webhook`: the messenger reports here. `delivery`: its calls arrive.",
    }),
    state: oneOf(["ok", "wrong", "unknown"], { description: "`unknown`: nobody could be asked." }),
    problem: Type.Optional(oneOf(checkProblems, { description: "The fault." })),
    detail: Type.Optional(Type.String({ description: "The messenger's own words." })),
    advice: nullable(Type.String({ description: "A way to mend it." })),
  }),
  { description: "The points that were checked." },
);
