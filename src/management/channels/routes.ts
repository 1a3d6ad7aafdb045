import { Type } from "@sinclair/typebox";
import { mainOrigin } from "../../platform/http/main-origin.ts";
import { described, NameInput, nullable, oneOf, PageQuery, pageOf, Timestamp } from "../../platform/http/schemas.ts";
import { type Operation, operationFor } from "../operations/operation.ts";
import {
  checkChannelConnection,
  disableChannelConnection,
  enableChannelConnection,
  registerChannelConnection,
  rotateChannelSecrets,
} from "./connection-acts.ts";
import type { ConnectionBot } from "./connections.sql.ts";
import {
  connectChannel,
  deleteChannelConnection,
  getChannelConnection,
  listChannelConnections,
  readWebhookInfo,
  updateChannelConnection,
} from "./connections.ts";
import {
  ChannelConnectionSchema,
  CheckSchema,
  ConnectionBotsInput,
  channelWords,
  MadeSecrets,
  SecretsInput,
  SettingsInput,
} from "./schemas.ts";

const operation = operationFor("Channels");
const base = "/api/v1/workspaces/:workspaceId/channel-connections";
const atProvider = ["channel_connection.refused", "channel_connection.no_address"] as const;
/**
 * The errors of `requireTalking`, for operations that create, register or enable a connection or rotate its secrets.
 */
const talking = ["channel_connection.off", "channel_connection.older_nodes"] as const;

export const channelConnectionOperations: readonly Operation[] = [
  operation({
    id: "listChannelConnections",
    route: `GET ${base}`,
    ...pageOf({ channelConnections: Type.Array(ChannelConnectionSchema) }),
    query: Type.Object({
      ...PageQuery.properties,
      channel: Type.Optional(
        oneOf(channelWords, { description: "Returns only connections to this kind of messenger." }),
      ),
    }),
    handle: async (deps, { caller, params: { workspaceId }, query, request }) =>
      listChannelConnections(deps, caller, workspaceId, { ...query, requestOrigin: mainOrigin(deps, request) }),
  }),
  operation({
    id: "connectChannel",
    route: `POST ${base}`,
    body: Type.Object({
      channel: oneOf(channelWords, { description: "The kind of messenger." }),
      name: NameInput,
      settings: Type.Optional(SettingsInput),
      secrets: Type.Optional(SecretsInput),
      bots: Type.Optional(ConnectionBotsInput),
      externalId: Type.Optional(
        Type.String({
          minLength: 1,
          maxLength: 300,
          description:
            "The messenger's own id of the account, for a connection that comes from another server. `secrets` must then be absent.",
        }),
      ),
    }),
    answer: Type.Object({ channelConnection: ChannelConnectionSchema, madeSecrets: MadeSecrets }),
    answerExample: {
      channelConnection: ChannelConnectionSchema.example,
      madeSecrets: { secretToken: "G5v0cXq3mJ8yK1sZ7wT2uR4nB6dF9x-Q" },
    },
    errors: [
      ...(["bot.not_found", "workspace.takes_nothing", "secret.no_key", "channel_connection.too_many"] as const),
      ...(["channel_connection.taken", ...talking, ...atProvider] as const),
    ],
    handle: async (deps, { caller, params: { workspaceId }, body, request }) => {
      const { channel, name, settings = {}, secrets = {}, bots = [], externalId } = body;
      const wanted = { channel, name, settings, secrets, bots: bots.map(completed), externalId };
      const made = await connectChannel(deps, caller, workspaceId, wanted, mainOrigin(deps, request));
      return { channelConnection: made.connection, madeSecrets: made.madeSecrets };
    },
  }),
  operation({
    id: "getChannelConnection",
    route: `GET ${base}/:connectionId`,
    answer: Type.Object({ channelConnection: ChannelConnectionSchema }),
    handle: async (deps, { caller, params: path, request }) => ({
      channelConnection: await getChannelConnection(deps, caller, path, mainOrigin(deps, request)),
    }),
  }),
  operation({
    id: "updateChannelConnection",
    route: `PATCH ${base}/:connectionId`,
    body: Type.Object({
      name: Type.Optional(NameInput),
      settings: Type.Optional(SettingsInput),
      bots: Type.Optional(ConnectionBotsInput),
    }),
    answer: Type.Object({ channelConnection: ChannelConnectionSchema }),
    errors: ["bot.not_found", ...atProvider, "server.overloaded"],
    handle: async (deps, { caller, params: path, body: { bots, ...body }, request }) => {
      const change = { ...body, ...(bots && { bots: bots.map(completed) }) };
      return {
        channelConnection: await updateChannelConnection(deps, caller, path, change, mainOrigin(deps, request)),
      };
    },
  }),
  operation({
    id: "deleteChannelConnection",
    route: `DELETE ${base}/:connectionId`,
    query: Type.Object({
      name: Type.String({
        description: "The name of the connection, to confirm that you delete the right connection.",
      }),
    }),
    answer: Type.Object({ channelConnection: ChannelConnectionSchema }),
    handle: async (deps, { caller, params: path, query: { name }, request }) => ({
      channelConnection: await deleteChannelConnection(deps, caller, path, {
        name,
        requestOrigin: mainOrigin(deps, request),
      }),
    }),
  }),
  operation({
    id: "checkChannelConnection",
    route: `POST ${base}/:connectionId/check`,
    isAudited: false,
    answer: Type.Object({ check: CheckSchema }),
    errors: ["channel_connection.unreadable", "channel_connection.no_address"],
    handle: async (deps, { caller, params: path }) => ({
      check: [...(await checkChannelConnection(deps, caller, path))],
    }),
  }),
  operation({
    id: "registerChannelConnection",
    route: `POST ${base}/:connectionId/register`,
    answer: Type.Object({ channelConnection: ChannelConnectionSchema }),
    errors: ["channel_connection.disabled", "channel_connection.unreadable", ...talking, ...atProvider],
    handle: async (deps, { caller, params: path, request }) => ({
      channelConnection: await registerChannelConnection(deps, caller, path, mainOrigin(deps, request)),
    }),
  }),
  operation({
    id: "enableChannelConnection",
    route: `POST ${base}/:connectionId/enable`,
    answer: Type.Object({ channelConnection: ChannelConnectionSchema }),
    errors: ["channel_connection.unreadable", ...talking, ...atProvider],
    handle: async (deps, { caller, params: path, request }) => ({
      channelConnection: await enableChannelConnection(deps, caller, path, mainOrigin(deps, request)),
    }),
  }),
  operation({
    id: "disableChannelConnection",
    route: `POST ${base}/:connectionId/disable`,
    answer: Type.Object({ channelConnection: ChannelConnectionSchema }),
    handle: async (deps, { caller, params: path, request }) => ({
      channelConnection: await disableChannelConnection(deps, caller, path, mainOrigin(deps, request)),
    }),
  }),
  operation({
    id: "rotateChannelSecrets",
    route: `POST ${base}/:connectionId/rotate`,
    body: Type.Object({ secrets: Type.Optional(SecretsInput) }),
    answer: Type.Object({ channelConnection: ChannelConnectionSchema, madeSecrets: MadeSecrets }),
    answerExample: {
      channelConnection: ChannelConnectionSchema.example,
      madeSecrets: { secretToken: "G5v0cXq3mJ8yK1sZ7wT2uR4nB6dF9x-Q" },
    },
    errors: ["secret.no_key", "server.overloaded", ...talking, ...atProvider],
    handle: async (deps, { caller, params: path, body: { secrets = {} }, request }) => {
      const requestOrigin = mainOrigin(deps, request);
      const rotated = await rotateChannelSecrets(deps, caller, path, { secrets, requestOrigin });
      return { channelConnection: rotated.connection, madeSecrets: rotated.madeSecrets };
    },
  }),
  operation({
    id: "getChannelWebhook",
    route: `GET ${base}/:connectionId/webhook`,
    answer: Type.Object({
      webhook: Type.Object(
        {
          url: nullable(
            Type.String({ description: "The webhook URL; null if this service polls the messenger for messages." }),
          ),
          lastCallAt: described(nullable(Timestamp), "Time of the messenger's last call."),
          refusedCalls: Type.Integer({
            description: "Number of calls that were rejected because of a wrong signature.",
          }),
          refusedAt: described(nullable(Timestamp), "Time of the last rejected call."),
          refusedWhy: nullable(Type.String({ description: "Reason why the last call was rejected." })),
        },
        { description: "The webhook by which the messenger calls this service." },
      ),
    }),
    answerExample: {
      webhook: {
        ...{ url: ChannelConnectionSchema.example["webhookUrl"], lastCallAt: null },
        ...{ refusedCalls: 0, refusedAt: null, refusedWhy: null },
      },
    },
    handle: async (deps, { caller, params: path, request }) => ({
      webhook: await readWebhookInfo(deps, caller, path, mainOrigin(deps, request)),
    }),
  }),
];

type GivenBot = Omit<ConnectionBot, "isEnabled"> & { readonly isEnabled?: boolean };

function completed({ isEnabled = true, ...bot }: GivenBot): ConnectionBot {
  return { ...bot, isEnabled };
}
