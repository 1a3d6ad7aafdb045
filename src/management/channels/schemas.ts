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
      oneOf(["AND", "OR"], { default: "AND", description: "Whether all comparisons must match, or only one of them." }),
    ),
    comparisons: Type.Optional(
      Type.Array(Comparison, {
        maxItems: 100,
        description: "Comparisons with the first message. Without comparisons, every message starts the bot.",
      }),
    ),
  },
  { description: "The first messages that start the bot. Defaults to the condition in the bot's settings." },
);

const botOf = (id: typeof IdInput) => ({
  botId: id,
  isEnabled: Type.Boolean({ default: true, description: "Whether the bot answers on this connection." }),
  startCondition: Type.Optional(StartCondition),
  sessionExpiryTimeout: Type.Optional(
    Type.Number({
      minimum: 0.01,
      maximum: 48,
      description: "Hours without a message after which a chat ends. Defaults to the value in the bot's settings.",
    }),
  ),
});

const botsDescription =
  "The bots that can answer, by priority. The first bot whose condition matches the message answers; if no condition matches, the first bot without a condition answers. Bots whose `messengerCredentialsId` is this connection's id follow after this list.";

export const ConnectionBots = Type.Array(
  Type.Object(botOf(Id), { $id: "ChannelBot", description: "A bot that can answer on a connection." }),
  {
    description: botsDescription,
  },
);

export const ConnectionBotsInput = Type.Array(
  Type.Object({
    ...botOf(IdInput),
    isEnabled: Type.Optional(
      Type.Boolean({ default: true, description: "Whether the bot answers on this connection." }),
    ),
  }),
  { maxItems: limits.channels.bots, description: botsDescription },
);

export const SettingsInput = JsonMap(
  "The settings that are not encrypted. `GET /api/v1/channel-types` has their schema. In a change, settings that you omit do not change, and null removes a setting.",
);
export const SecretsInput = JsonMap(
  "The encrypted settings. `GET /api/v1/channel-types` has their schema. The service generates the secrets in `madeSecrets` itself.",
);

export const MadeSecrets = Type.Record(Type.String(), Type.String(), {
  description: "The secrets that the service has generated, in full. They are returned only in this response.",
});

export const ChannelConnectionSchema = resource(
  "ChannelConnection",
  {
    id: Id,
    workspaceId: Id,
    channel: oneOf(channelWords, { description: "The kind of messenger." }),
    name: Type.String({ description: "Name of the connection in the workspace." }),
    externalId: Type.String({ description: "The messenger's own id of the account, or the id of the connection." }),
    display: nullable(
      Type.String({ description: "The name under which contacts find the account, such as `@tea_bot`." }),
    ),
    settings: JsonMap("The settings that differ from their defaults."),
    secrets: Type.Record(
      Type.String(),
      Type.Object({
        isSet: Type.Boolean({ description: "Whether the secret is stored." }),
        ends: Type.Optional(Type.String({ description: "Last characters of the secret; absent for short secrets." })),
      }),
      { description: "The visible part of each secret." },
    ),
    bots: ConnectionBots,
    isEnabled: Type.Boolean({ description: "Whether bots answer on this connection." }),
    disabledReason: nullable(
      Type.String({
        description:
          "Reason why the connection is disabled: `by_hand`, `unregistered`, `imported` (it comes from another server, without secrets), `restored` (the database comes from a backup), `moved` (it was enabled on another server), `refused` (the messenger rejected its secrets for a day) or `workspace_deleted`.",
      }),
    ),
    previousUntil: described(
      nullable(Timestamp),
      "Time until which calls signed with the previous secrets are accepted; null if they are not accepted.",
    ),
    webhookUrl: nullable(
      Type.String({
        description: "URL that the messenger calls; null if this service polls the messenger for messages.",
      }),
    ),
    lastInboundAt: described(nullable(Timestamp), "Time of the last message from a contact."),
    lastOutboundAt: described(nullable(Timestamp), "Time of the last message to a contact."),
    failingSince: described(
      nullable(Timestamp),
      "Time since which the messenger has rejected all messages; null if it accepts messages.",
    ),
    pausedUntil: described(nullable(Timestamp), "Time until which messages wait because the messenger rejected them."),
    createdAt: Timestamp,
    updatedAt: Timestamp,
  },
  "A messenger account on which bots answer.",
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
        "The checked property. `secrets`: the messenger accepts the secrets. `account`: the secrets belong to this account. `webhook`: the messenger is registered with this service. `delivery`: the messenger's calls arrive.",
    }),
    state: oneOf(["ok", "wrong", "unknown"], {
      description: "The outcome. `unknown` means that the messenger could not be asked.",
    }),
    problem: Type.Optional(oneOf(checkProblems, { description: "The kind of problem." })),
    detail: Type.Optional(Type.String({ description: "The messenger's own error message." })),
    advice: nullable(Type.String({ description: "A way to fix the problem." })),
  }),
  { description: "The outcome of each check." },
);
