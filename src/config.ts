import { FormatRegistry, type Static, type TSchema, Type } from "@sinclair/typebox";
import { Value } from "@sinclair/typebox/value";
import { serverNames } from "./core/credentials/index.ts";
import { isAddressRange, isAllowable, problemOfPorts } from "./limits/allowed-hosts.ts";
import { channelSettings } from "./limits/channel-settings.ts";
import { limits } from "./limits/index.ts";
import { readRateLimits } from "./limits/rate-rules.ts";
import { retrySettings } from "./limits/retry-settings.ts";
import { traceSettings } from "./limits/trace-settings.ts";

const origin = { pattern: "^https?://[^/?#@\\s]+/?$" };

FormatRegistry.Set("address-ranges", (text) => text.split(",").every((entry) => isAddressRange(entry.trim())));

const listOf = (is: (entry: string) => boolean) => (text: string) =>
  text === "" || text.split(",").every((entry) => is(entry.trim()));
FormatRegistry.Set("allowed-hosts", listOf(isAllowable));
FormatRegistry.Set("model-servers", listOf(isTrustableOrigin));
const providerNames = serverNames().join(", ");
FormatRegistry.Set("provider-urls", listOf(isProviderUrl));

FormatRegistry.Set("server-origin", isTrustableOrigin);

FormatRegistry.Set("port-or-off", (text) => text === "off" || (/^\d{1,5}$/.test(text) && Number(text) <= 65_535));

/** Returns the schema of an optional text that must not be empty. */
function given(description: string, expected: string) {
  return Type.Optional(Type.String({ minLength: 1, description, expected }));
}

/** Returns the schema of an optional integer within the given limits. */
function givenNumber(minimum: number, maximum: number, description: string) {
  const expected = `a whole number from ${minimum} to ${maximum}`;
  return Type.Optional(Type.Integer({ minimum, maximum, description, expected }));
}

/**
 * All environment variables of the service. All variables are optional. An invalid value prevents the start with a
 * message of one sentence.
 */
export const ConfigSchema = Type.Object({
  PORT: Type.Integer({
    default: 3000,
    minimum: 0,
    maximum: 65_535,
    description: "Port to listen on. With 0, Parley uses a free port.",
    expected: "a whole number from 0 to 65535",
  }),
  APP_PORT: Type.Optional(
    Type.String({
      format: "port-or-off",
      description:
        "Port of the builder and its management API, which have a different origin than chat pages. With 0, Parley uses a free port; with `off`, it serves no builder. Absent: no port if `PUBLIC_URL` and `CHAT_URL` are both set, because the builder is then at `PUBLIC_URL`; otherwise `PORT` + 1, or a free port if that port is in use or `PORT` is 0.",
      expected: "a whole number from 0 to 65535, or off",
    }),
  ),
  HOST: Type.String({
    default: "0.0.0.0",
    minLength: 1,
    description: "Address to listen on.",
    expected: "an address of this machine",
  }),
  DATABASE_URL: Type.Optional(
    Type.String({
      pattern: "^postgres(ql)?://.",
      description:
        "Address of a PostgreSQL 15 or newer, with the encoding UTF-8. If you list several hosts, Parley uses the host that accepts writes. Absent: an embedded PostgreSQL in `DATA_DIR`.",
      expected: "an address like postgres://user:password@host:5432/database",
    }),
  ),
  DATABASE_POOL: givenNumber(
    2,
    500,
    "Number of database connections of this node, shared among its processes; the node opens up to 5 more for the job queue and rare tasks. Absent: 16, or 4 for each process plus 4 if that is more than 16.",
  ),
  DATABASE_READ_URL: Type.Optional(
    Type.String({
      pattern: "^postgres(ql)?://.",
      description:
        "Address of a streaming replica of the database, from which lists of results and deliveries are read. You can list several hosts. Absent: everything is read from `DATABASE_URL`.",
      expected: "an address like postgres://user:password@replica:5432/database",
    }),
  ),
  DATA_DIR: Type.String({
    default: "./.data",
    minLength: 1,
    description:
      "Folder for the embedded database, uploaded files, exports, the first token and the key that encrypts stored secrets.",
    expected: "the path of a folder",
  }),
  ARCHIVE_TO: Type.Optional(
    Type.String({
      pattern: "^(s3://[^/\\s]+(/\\S*)?|(?!\\w+://).+)$",
      description:
        "Location of the embedded PostgreSQL's continuous archive, from which you can restore the state at any second: a folder on another disk, or `s3://bucket/prefix` with the `S3_` settings. Absent: no archive.",
      expected: "the path of a folder, or an address like s3://bucket/prefix",
    }),
  ),
  ARCHIVE_KEEP_DAYS: Type.Integer({
    default: 14,
    minimum: 1,
    maximum: 3_650,
    description: "Number of days that the archive covers. Older files are removed.",
    expected: "a whole number from 1 to 3650",
  }),
  ARCHIVE_BASE_HOURS: Type.Integer({
    default: 24,
    minimum: 1,
    maximum: 744,
    description:
      "Hours between two base copies in the archive. A restore takes less time if base copies are more frequent.",
    expected: "a whole number from 1 to 744",
  }),
  ADMIN_TOKEN: Type.Optional(
    Type.String({
      minLength: 16,
      pattern: "^[\\x21-\\x7e][\\x20-\\x7e]*[\\x21-\\x7e]$",
      description:
        "The first administrator's API token. Absent: Parley generates a token, prints it once and stores it in `DATA_DIR`.",
      expected: "16 or more ASCII characters, without a blank at either end",
    }),
  ),
  PUBLIC_URL: Type.Optional(
    Type.String({
      ...origin,
      description: "Public address of the management API, such as `https://bots.example.com`.",
      expected: "an address like https://bots.example.com",
    }),
  ),
  CHAT_URL: Type.Optional(
    Type.String({
      ...origin,
      description: "Public address of the chat endpoints. Absent: `PUBLIC_URL`.",
      expected: "an address like https://chat.example.com",
    }),
  ),
  SIGN_UP: Type.Union([Type.Literal("invitation"), Type.Literal("open")], {
    default: "invitation",
    description:
      "Who can become a user by signing in: `invitation` (only invited people) or `open` (everybody with an e-mail address; requires `SMTP_URL`).",
    expected: "invitation or open",
  }),
  PROCESSES: givenNumber(
    1,
    64,
    "Number of serving processes, which share one port. Absent: one for every two cores, at most 16, and at most as many as fit into half of the memory at 400 MB each.",
  ),
  WORKER_THREADS: givenNumber(
    1,
    256,
    "Maximum number of threads that run flows, shared among the processes. Threads start when steps need them, and end after they have been idle for a long time. Absent: one for each core.",
  ),
  INLINE_STEPS: Type.Boolean({
    default: true,
    description: "Whether small steps run without a thread. With `off`, every step runs in a thread.",
    expected: "on, off, true, false, 1 or 0",
  }),
  LOG_LEVEL: Type.Union(
    [Type.Literal("debug"), Type.Literal("info"), Type.Literal("warn"), Type.Literal("error"), Type.Literal("silent")],
    {
      default: "info",
      description: "Log level: `debug`, `info`, `warn`, `error` or `silent`.",
      expected: "debug, info, warn, error or silent",
    },
  ),
  ACCESS_LOG: Type.String({
    default: "on",
    pattern: "^(on|off|(100|[1-9]?[0-9])%)$",
    description:
      "Whether requests are logged: `on`, `off`, or the share of fast successful requests to log, such as `10%`.",
    expected: "on, off or a share such as 10%",
  }),
  METRICS_PUBLIC: Type.Boolean({
    default: false,
    description: "Whether `/metrics` is available without an administrator's token.",
    expected: "on, off, true, false, 1 or 0",
  }),
  ...traceSettings,
  TRUSTED_PROXIES: Type.String({
    default: "",
    format: "address-ranges",
    description: "Comma-separated addresses of proxies whose `X-Forwarded-*` headers are trusted.",
    expected: "IP addresses and ranges separated by commas, such as 10.0.0.0/8",
  }),
  DRAIN_SECONDS: givenNumber(
    0,
    600,
    "Number of seconds for which a node continues to serve after SIGTERM, while `/api/readyz` responds with 503, so that load balancers remove the node. Absent: 5 with `TRUSTED_PROXIES`, otherwise 0.",
  ),
  RATE_LIMITS: Type.String({
    default: "on",
    description: "Rate limits: `on`, `off`, or limits that differ from the defaults, such as `session.steps=20/10s`.",
    expected: "on, off or limits such as session.steps=20/10s",
  }),
  ...retrySettings,
  NESTED_STARTS: Type.Integer({
    default: 50,
    minimum: 1,
    maximum: 10_000,
    description:
      "Maximum number of chats that one step of a visitor's chat may start by calls, on all nodes. Chats that those chats start are included. Without `ENCRYPTION_KEY`, which signs such calls, this is the maximum number of chats that calls from this machine's own address may start in 5 minutes.",
    expected: "a whole number from 1 to 10000",
  }),
  OUTGOING_ALLOW: Type.String({
    default: "",
    format: "allowed-hosts",
    description:
      "Comma-separated hosts of the internal network (10/8, 172.16/12, 192.168/16) that flows may call, and ports of this machine for testing flows, such as `localhost:4000`.",
    expected: "host names, or ports of this machine from 1024 such as localhost:4000, separated by commas",
  }),
  ALLOW_LOOPBACK: Type.Union([Type.Literal("yes"), Type.Literal("no")], {
    default: "no",
    description:
      "Whether `OUTGOING_ALLOW` may list ports of this machine even if `HOST` lets other machines reach Parley. All authors can then call these ports.",
    expected: "yes or no",
  }),
  MODEL_SERVERS: Type.String({
    default: "",
    format: "model-servers",
    description:
      "Comma-separated origins of your own model servers, such as `http://localhost:11434`. Only model blocks may call them, and they may be on private networks.",
    expected:
      "origins such as http://localhost:11434, separated by commas, without paths and wildcards, but not addresses at which a cloud serves keys",
  }),
  PROVIDER_URLS: Type.String({
    default: "",
    format: "provider-urls",
    description: `Comma-separated addresses that replace those of providers, such as \`stripe=http://127.0.0.1:12111\`, for gateways and for tests. They are exact origins, may be on private networks, and receive only calls of that provider. \`http-proxy\` does not replace an address: it names a proxy that HTTP blocks may use, even on this machine. The names are ${providerNames}.`,
    expected: `origins by name such as stripe=http://127.0.0.1:12111, separated by commas; the names are ${providerNames}`,
  }),
  ...channelSettings,
  GOOGLE_CLIENT_ID: given(
    "Id of the Google Cloud OAuth client with which people connect their Google accounts. Absent: workspaces use their own OAuth client or a service account.",
    "the id that Google shows, which ends with .apps.googleusercontent.com",
  ),
  GOOGLE_CLIENT_SECRET: given("The secret of the OAuth client in `GOOGLE_CLIENT_ID`.", "the secret that Google shows"),
  ENCRYPTION_KEY: Type.Optional(
    Type.String({
      minLength: 32,
      pattern: "^[\\x21-\\x7e]+$",
      description:
        "Key that encrypts stored secrets. It must be the same on all nodes; generate it with `openssl rand -base64 32`. Absent: with the embedded PostgreSQL, Parley generates a key and stores it in `DATA_DIR`; with `DATABASE_URL`, no secrets can be stored.",
      expected: "32 or more ASCII characters without blanks, as openssl rand -base64 32 prints",
    }),
  ),
  ENCRYPTION_KEY_OLD: Type.Optional(
    Type.String({
      pattern: "^[\\x21-\\x2b\\x2d-\\x7e]{32,}( *, *[\\x21-\\x2b\\x2d-\\x7e]{32,})*$",
      description:
        "Comma-separated previous keys. They decrypt secrets that were encrypted with them, until `rotate-key` has encrypted everything with `ENCRYPTION_KEY`.",
      expected: "keys of 32 or more ASCII characters, separated by commas",
    }),
  ),
  SMTP_URL: Type.Optional(
    Type.String({
      pattern: "^smtps?://[^/@\\s]+(@[^/@\\s]+)?/?(\\?\\S*)?$",
      description:
        "Mail server for invitations, sign-in codes, notices, and `Email` blocks with the credentials `default`. Absent: these e-mails are not sent, and the log of a result reports the e-mail of a block; the code of an invitation is returned to the inviting user.",
      expected: "an address like smtp://user:password@mail.example.com:587",
    }),
  ),
  SMTP_FROM: Type.Optional(
    Type.String({
      pattern: "^([^<>@]* )?<?[^<>@\\s]+@[^<>@\\s]+>?$",
      description: "Sender of e-mails, such as `Bots <bots@example.com>`. Absent: the user of `SMTP_URL`.",
      expected: "a mail address like bots@example.com or Bots <bots@example.com>",
    }),
  ),
  UPLOAD_MAX_MB: Type.Integer({
    default: 10,
    minimum: 1,
    maximum: limits.uploads.fileMegabytes,
    description:
      "Maximum size of a file in megabytes. It applies to authors' files, and to visitors' files if the block sets no limit.",
    expected: `a whole number from 1 to ${limits.uploads.fileMegabytes}`,
  }),
  ANONYMOUS_MEGABYTES_A_DAY: givenNumber(
    0,
    100_000_000,
    "Number of megabytes that visitors may upload per day (UTC) to all bots of a workspace; 0 means unlimited. Above the limit, Parley rejects files with `workspace.storage_full`; starts, replies and texts still work. Absent: 20000, or 0 if the instance was first used with a release without this setting.",
  ),
  S3_BUCKET: Type.Optional(
    Type.String({
      pattern: "^[A-Za-z0-9][A-Za-z0-9._-]+$",
      description:
        "Bucket of an S3-compatible storage for uploaded files and exports. Required if there are several nodes. Absent: the folder `uploads` in `DATA_DIR`.",
      expected: "the name of a bucket",
    }),
  ),
  S3_ENDPOINT: Type.Optional(
    Type.String({
      pattern: "^https?://[^?#@\\s]+$",
      description:
        "Address of the storage, such as `https://s3.example.com`. Absent: Amazon's address for `S3_REGION`.",
      expected: "an address like https://s3.example.com",
    }),
  ),
  S3_REGION: Type.String({
    default: "us-east-1",
    minLength: 1,
    description: "Region of the bucket.",
    expected: "the name of a region",
  }),
  S3_ACCESS_KEY_ID: given("Access key id for the storage. Required with `S3_BUCKET`.", "a key"),
  S3_SECRET_ACCESS_KEY: given("Secret access key for the storage.", "a secret"),
});

/** The default drain time with trusted proxies. Load balancers check the readiness every few seconds. */
const balancerDrainSeconds = 5;

export type Config = Static<typeof ConfigSchema>;

/**
 * Thrown for a problem that the operator must solve before the service can start. The message is one sentence for the
 * operator.
 */
export class StartError extends Error {
  override readonly name: string = "StartError";
}

/** Thrown for an invalid setting. The message is one sentence that names the variable. */
export class ConfigError extends StartError {
  override readonly name = "ConfigError";
}

/**
 * Reads the configuration from an environment. A variable with an empty value is treated as absent. Throws a
 * ConfigError that names an invalid variable. The error never contains a value that may be a secret.
 */
export function readConfig(environment: Readonly<Record<string, string | undefined>>): Config {
  const settings: Record<string, unknown> = {};
  for (const [name, schema] of Object.entries(ConfigSchema.properties)) {
    const text = environment[name];
    if (text === undefined || text === "") continue;
    settings[name] = readValue(name, schema, text);
  }
  const config = Value.Decode(ConfigSchema, Value.Default(ConfigSchema, settings));
  if (config.S3_BUCKET && !(config.S3_ACCESS_KEY_ID && config.S3_SECRET_ACCESS_KEY))
    throw new ConfigError("S3_BUCKET requires S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY.");
  if (config.DATABASE_READ_URL !== undefined && config.DATABASE_URL === undefined)
    throw new ConfigError("DATABASE_READ_URL requires DATABASE_URL: an embedded database has no replica.");
  if (config.SIGN_UP === "open" && config.SMTP_URL === undefined)
    throw new ConfigError("SIGN_UP=open requires SMTP_URL: people sign up with a code by mail.");
  const portProblem = problemOfPorts(config);
  if (portProblem !== undefined) throw new ConfigError(portProblem);
  const rateLimits = readRateLimits(config.RATE_LIMITS);
  if ("problem" in rateLimits) throw new ConfigError(`RATE_LIMITS ${rateLimits.problem}`);
  return config;
}

/** Returns the time that load balancers have to stop sending requests to this node before it stops accepting them. */
export function drainMs({ DRAIN_SECONDS, TRUSTED_PROXIES }: Config): number {
  return 1_000 * (DRAIN_SECONDS ?? (TRUSTED_PROXIES === "" ? 0 : balancerDrainSeconds));
}

/**
 * Returns whether the text is an origin that may be trusted. Rejects the addresses at which cloud providers serve
 * credentials to machines.
 */
function isTrustableOrigin(text: string): boolean {
  const url = URL.parse(text);
  if (!url || !new RegExp(origin.pattern).test(text) || url.hostname.includes("*")) return false;
  return !/^(169\.254\.|100\.100\.100\.200$|168\.63\.129\.16$|\[(fe80:|fd00:ec2::254\])|metadata(\.|$))/.test(
    url.hostname,
  );
}

function isProviderUrl(entry: string): boolean {
  const at = entry.indexOf("=");
  return serverNames().includes(entry.slice(0, at).trim()) && isTrustableOrigin(entry.slice(at + 1).trim());
}

function readValue(name: string, schema: TSchema, text: string): unknown {
  const value = parseAs(schema, text);
  if (Value.Check(schema, value)) return value;
  throw new ConfigError(`${name} must be ${String(schema["expected"])}.`);
}

function parseAs(schema: TSchema, text: string): unknown {
  if (schema["type"] === "integer") return /^\d{1,9}$/.test(text) ? Number(text) : text;
  if (schema["type"] === "boolean")
    return new Map([
      ["on", true],
      ["true", true],
      ["1", true],
      ["off", false],
      ["false", false],
      ["0", false],
    ]).get(text);
  return text;
}
