import type {
  Channel,
  CheckPoint,
  Findings,
  ProviderAnswer,
  ProviderCall,
  RegisteredPlace,
} from "../../core/channels/channel.ts";
import { withoutKeys } from "../../core/credentials/without-keys.ts";
import type { JsonObject } from "../../core/interpreter/flow.ts";
import { callProvider } from "../../effects/channels/call.ts";
import { AppError } from "../../errors.ts";
import { limits } from "../../limits/index.ts";
import type { ManagementDependencies } from "../access/dependencies.ts";
import { chatAddress, isPolled, isReachable, secretTexts } from "./connection-data.ts";
import { type ConnectionRow, findCommands } from "./connections.sql.ts";

/** A connection with its secrets, for calls to its provider. */
export type OpenedConnection = {
  readonly channel: Channel;
  readonly settings: JsonObject;
  readonly secrets: JsonObject;
  readonly workspaceId: string;
};

/** Returns the path of a connection's webhook on the host of chats. */
export function webhookPath(connectionId: string): string {
  return `/api/v1/channels/${connectionId}/webhook`;
}

/**
 * Returns the webhook URL and the commands to register for a connection. The URL is null if the service polls for
 * messages. Throws `channel_connection.no_address` if the service has no address that the provider can call.
 */
export async function placeOf(
  deps: ManagementDependencies,
  channel: Channel,
  row: Pick<ConnectionRow, "id" | "workspaceId" | "settings" | "bots">,
): Promise<RegisteredPlace> {
  const botIds = row.bots.filter(({ isEnabled }) => isEnabled).map(({ botId }) => botId);
  const { id: connectionId, workspaceId } = row;
  const commands = await findCommands(deps.sql, { workspaceId, connectionId, botIds });
  if (isPolled(channel, row.settings)) return { webhookUrl: null, commands };
  if (!isReachable(deps.config, channel)) throw new AppError("channel_connection.no_address");
  return { webhookUrl: `${chatAddress(deps) ?? ""}${webhookPath(connectionId)}`, commands };
}

/** Asks the provider for the connection's account and problems. Secrets are removed from the provider's messages. */
export async function checkAtProvider(
  deps: ManagementDependencies,
  opened: OpenedConnection,
  place: RegisteredPlace,
): Promise<Findings> {
  const { plans } = opened.channel;
  const answers: ProviderAnswer[] = [];
  for (const call of plans.check(opened)) answers.push(await ask(deps, opened, call));
  const findings = plans.readCheck(answers, opened, place);
  return { ...findings, points: findings.points.map((point) => masked(point, opened.secrets)) };
}

/**
 * Registers the connection, so that the provider sends its calls to this service. Throws `channel_connection.refused`
 * with the provider's message.
 */
export async function registerAtProvider(
  deps: ManagementDependencies,
  opened: OpenedConnection,
  place: RegisteredPlace,
): Promise<void> {
  const { plans } = opened.channel;
  for (const call of plans.register(opened, place)) {
    const problem = plans.problemIn(await ask(deps, opened, call));
    if (problem) throw refusal(problem, opened.secrets);
  }
}

/**
 * Unregisters the connection and ignores failures, because the provider may be unavailable or may no longer accept the
 * secrets.
 */
export async function unregisterAtProvider(deps: ManagementDependencies, opened: OpenedConnection): Promise<void> {
  for (const call of opened.channel.plans.unregister(opened)) await ask(deps, opened, call);
}

/**
 * Throws `channel_connection.refused` if the provider rejects the secrets. Accepts any secrets if the provider cannot
 * check them.
 */
export function requireKnown({ points }: Findings, secrets: JsonObject): void {
  const secretsPoint = points.find(({ name }) => name === "secrets");
  if (secretsPoint === undefined || secretsPoint.state === "ok") return;
  throw refusal({ code: secretsPoint.problem ?? "", detail: secretsPoint.detail ?? "" }, secrets);
}

export function refusal({ code, detail }: { code: string; detail: string }, secrets: JsonObject): AppError {
  const said = withoutKeys(detail, secretTexts(secrets));
  return new AppError("channel_connection.refused", {
    ...(said !== "" && { message: `The messenger refused the connection: ${said}` }),
    data: { code, detail: said },
  });
}

async function ask(
  { safeFetch, config }: ManagementDependencies,
  { channel, workspaceId }: OpenedConnection,
  call: ProviderCall,
): Promise<ProviderAnswer> {
  const options = { workspaceId, timeoutMs: limits.channels.planMs };
  const outcome = await callProvider({ safeFetch, servers: config }, channel, call, options);
  return outcome.kind === "answer" ? outcome.answer : { wasSent: false, body: "" };
}

function masked(point: CheckPoint, secrets: JsonObject): CheckPoint {
  const { detail } = point;
  return detail === undefined ? point : { ...point, detail: withoutKeys(detail, secretTexts(secrets)) };
}
