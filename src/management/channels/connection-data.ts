import { type TObject, type TSchema, Type } from "@sinclair/typebox";
import { Value } from "@sinclair/typebox/value";
import type { Channel } from "../../core/channels/channel.ts";
import { channels } from "../../core/channels/index.ts";
import { hintOf, isHint, type SecretHint } from "../../core/credentials/masked.ts";
import type { JsonObject } from "../../core/interpreter/flow.ts";
import { AppError } from "../../errors.ts";
import { type Issue, invalidInput } from "../../platform/http/requests/invalid-input.ts";
import { listIssues } from "../../platform/http/requests/issues.ts";
import { isTimeZone, timeZoneProblem } from "../../platform/http/requests/time-zone.ts";
import { channelConnectionPlace } from "../../platform/secrets.ts";
import type { ManagementDependencies } from "../access/dependencies.ts";
import { outgoingProblem } from "../access/outgoing-addresses.ts";
import type { ConnectionRow } from "./connections.sql.ts";

export type ConnectionHints = Readonly<Record<string, SecretHint>>;

/**
 * Returns the channel of a type. The type is always known, because the API validates types and no type is ever removed.
 */
export function channelOf(type: string): Channel {
  const channel = channels.get(type);
  if (!channel) throw new TypeError(`There is no channel "${type}"`);
  return channel;
}

/**
 * Checks the given settings, and returns the settings to store, without null members. Chooses between webhook and
 * polling if the settings leave it open. Throws `request.invalid` for an unknown member, an invalid value, or an
 * address that may not be called.
 */
export function checkedSettings(
  { config }: Pick<ManagementDependencies, "config">,
  channel: Channel,
  given: JsonObject,
): JsonObject {
  const settings = withoutNulls(given);
  requireFitting(channel.settings, settings, "settings");
  const url = settings["url"];
  const problem = typeof url === "string" ? outgoingProblem(config, url) : undefined;
  if (problem !== undefined) throw invalidInput([{ path: "settings.url", message: problem }]);
  const zone = settings["timeZone"];
  if (typeof zone === "string" && !isTimeZone(zone)) {
    throw invalidInput([{ path: "settings.timeZone", message: timeZoneProblem }]);
  }
  if (!channel.poll) return settings;
  return { ...settings, transport: settings["transport"] ?? (isReachable(config, channel) ? "webhook" : "poll") };
}

/**
 * Returns the secrets to seal: the given secrets, the previous secrets that are not replaced, and new values of the
 * secrets that the service generates. Throws `request.invalid` for invalid secrets, and for a given secret that the
 * service generates.
 */
export function checkedSecrets(channel: Channel, given: JsonObject, former: JsonObject = {}): JsonObject {
  const news = Object.fromEntries(Object.entries(withoutNulls(given)).filter(([, value]) => !isHint(value)));
  const strangers = Object.keys(news).filter((name) => channel.madeSecrets.includes(name));
  if (strangers.length > 0) {
    throw invalidInput(
      strangers.map((name) => ({
        path: `secrets.${name}`,
        message: "must be left out, because the service generates it",
      })),
    );
  }
  const secrets = { ...former, ...news, ...madeSecrets(channel) };
  requireFitting(channel.secrets, secrets, "secrets");
  return secrets;
}

function madeSecrets(channel: Channel): JsonObject {
  const random = () => crypto.getRandomValues(new Uint8Array(32));
  return Object.fromEntries(channel.madeSecrets.map((name) => [name, channel.secretOf(random())]));
}

/** Returns the visible part of each secret. */
export function hintsOf(channel: Channel, secrets: JsonObject): ConnectionHints {
  return Object.fromEntries(Object.keys(channel.secrets.properties).map((name) => [name, hintOf(secrets[name])]));
}

/** Returns the secrets that the service generated, in full. */
export function madeOnly(channel: Channel, secrets: JsonObject): Record<string, string> {
  return Object.fromEntries(channel.madeSecrets.map((name) => [name, String(secrets[name])]));
}

/** Whether a connection has no secrets yet, such as a connection that was imported from another server. */
export function hasNone(secrets: JsonObject): boolean {
  return Object.keys(secrets).length === 0;
}

/** Returns the texts that must not be shown or logged. */
export function secretTexts(secrets: JsonObject): string[] {
  return Object.values(secrets).filter((value) => typeof value === "string");
}

/** Returns the secrets of a row, or undefined if no key of this instance decrypts them. */
export async function openSecrets(
  { secrets }: Pick<ManagementDependencies, "secrets">,
  { id }: Pick<ConnectionRow, "id">,
  sealed: Uint8Array,
): Promise<JsonObject | undefined> {
  const text = await secrets.open(sealed, channelConnectionPlace(id));
  return text === undefined ? undefined : JSON.parse(text);
}

export async function requireSecrets(
  deps: Pick<ManagementDependencies, "secrets">,
  row: Pick<ConnectionRow, "id" | "sealed">,
): Promise<JsonObject> {
  const secrets = await openSecrets(deps, row, row.sealed);
  if (!secrets) throw new AppError("channel_connection.unreadable");
  return secrets;
}

export function sealSecrets(
  { secrets }: Pick<ManagementDependencies, "secrets">,
  connectionId: string,
  texts: JsonObject,
): Promise<Uint8Array> {
  return secrets.seal(JSON.stringify(texts), channelConnectionPlace(connectionId));
}

/** Returns the public address of chats; undefined if the operator did not configure it. */
export function chatAddress({ config }: Pick<ManagementDependencies, "config">): string | undefined {
  return (config.CHAT_URL ?? config.PUBLIC_URL)?.replace(/\/$/, "");
}

/**
 * Whether the channel's provider can call the address of chats. Always true for a channel that does not restrict the
 * ports.
 */
export function isReachable(config: ManagementDependencies["config"], channel: Channel): boolean {
  if (!channel.calledPorts) return true;
  const url = URL.parse(chatAddress({ config }) ?? "");
  return url?.protocol === "https:" && channel.calledPorts.includes(url.port === "" ? 443 : Number(url.port));
}

/** Whether the service polls for messages. */
export function isPolled(channel: Channel, settings: JsonObject): boolean {
  return channel.poll !== undefined && settings["transport"] === "poll";
}

/**
 * Throws `request.invalid` if a value does not match the schema. An unknown member is an error, because it may be a
 * misspelled setting.
 */
function requireFitting(schema: TObject, value: JsonObject, within: string): void {
  const strangers = Object.keys(value).filter((name) => !Object.hasOwn(schema.properties, name));
  const issues: Issue[] = [
    ...listIssues(Value.Errors(closed(schema), value), value),
    ...strangers.map((path) => ({ path, message: "is not a field of this channel" })),
  ];
  if (issues.length === 0) return;
  throw invalidInput(
    issues.map(({ path, message }) => ({ path: path === "" ? within : `${within}.${path}`, message })),
  );
}

function closed(schema: TObject): TSchema {
  return Type.Object(schema.properties);
}

function withoutNulls(data: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(data).filter(([, value]) => value !== null));
}
