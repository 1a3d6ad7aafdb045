import { expect, test } from "bun:test";
import { ConfigError, ConfigSchema, drainMs, readConfig } from "../src/config.ts";
import { serverNames } from "../src/core/credentials/index.ts";
import { hostReader } from "../src/platform/http/hosts.ts";

test("an empty environment sets each default and no other setting", () => {
  expect(readConfig({})).toEqual({
    PORT: 3000,
    SIGN_UP: "invitation",
    HOST: "0.0.0.0",
    DATA_DIR: "./.data",
    ARCHIVE_KEEP_DAYS: 14,
    ARCHIVE_BASE_HOURS: 24,
    LOG_LEVEL: "info",
    ACCESS_LOG: "on",
    OTEL_TRACES_SAMPLER_ARG: "1",
    INLINE_STEPS: true,
    METRICS_PUBLIC: false,
    TRUSTED_PROXIES: "",
    RATE_LIMITS: "on",
    NESTED_STARTS: 50,
    EVENT_RETRY_SECONDS: "5,30,300,1800,7200,18000,36000,50400,72000,86400",
    DELIVERY_ATTEMPTS: 12,
    OUTGOING_ALLOW: "",
    ALLOW_LOOPBACK: "no",
    MODEL_SERVERS: "",
    PROVIDER_URLS: "",
    CHANNELS: true,
    TELEGRAM_API_URL: "https://api.telegram.org",
    UPLOAD_MAX_MB: 10,
    S3_REGION: "us-east-1",
  });
});

test("every variable of the configuration is read", () => {
  const environment = {
    PORT: "0",
    APP_PORT: "off",
    SIGN_UP: "open",
    HOST: "::1",
    DATABASE_URL: "postgres://parley:secret@db/parley",
    DATABASE_READ_URL: "postgres://parley:secret@replica/parley",
    DATABASE_POOL: "40",
    DATA_DIR: "/data",
    ARCHIVE_TO: "s3://archive/parley",
    ARCHIVE_KEEP_DAYS: "30",
    ARCHIVE_BASE_HOURS: "6",
    ADMIN_TOKEN: "sixteen letters!",
    PUBLIC_URL: "https://bots.example.com/",
    CHAT_URL: "http://localhost:3000",
    PROCESSES: "4",
    DRAIN_SECONDS: "10",
    WORKER_THREADS: "8",
    LOG_LEVEL: "debug",
    ACCESS_LOG: "10%",
    OTEL_EXPORTER_OTLP_ENDPOINT: "http://localhost:4318",
    OTEL_EXPORTER_OTLP_HEADERS: "api-key=secret%20one,other=x=y",
    OTEL_TRACES_SAMPLER_ARG: "0.25",
    INLINE_STEPS: "off",
    METRICS_PUBLIC: "true",
    TRUSTED_PROXIES: "10.0.0.0/8",
    RATE_LIMITS: "session.steps=20/10s, bot.starts=off",
    NESTED_STARTS: "20",
    OUTGOING_ALLOW: "crm.internal, 10.0.0.7, localhost:4000",
    ALLOW_LOOPBACK: "yes",
    EVENT_RETRY_SECONDS: "5, 60,86400",
    DELIVERY_ATTEMPTS: "30",
    MODEL_SERVERS: "http://localhost:11434, https://10.0.0.5:8000",
    PROVIDER_URLS: "stripe=http://127.0.0.1:12111, google=https://google.gateway.example",
    GOOGLE_CLIENT_ID: "ours.apps.googleusercontent.com",
    GOOGLE_CLIENT_SECRET: "GOCSPX-ours",
    ENCRYPTION_KEY: "bm90IGEga2V5IGFueWJvZHkgdXNlcywgZXZlcg==",
    ENCRYPTION_KEY_OLD: "bm90IGFuIG9sZCBrZXkgYW55Ym9keSBoYXMgZXZlcg==, YW5kIG9uZSBiZWZvcmUgaXQsIHdoaWNoIGlzIG9sZGVy",
    SMTP_URL: "smtps://bots%40example.com:se%2Fcret@mail.example.com:465",
    SMTP_FROM: "Bots <bots@example.com>",
    UPLOAD_MAX_MB: "25",
    ANONYMOUS_MEGABYTES_A_DAY: "0",
    CHANNELS: "off",
    TELEGRAM_API_URL: "http://127.0.0.1:8081",
    S3_BUCKET: "parley-files",
    S3_ENDPOINT: "https://s3.example.com/storage",
    S3_REGION: "eu-west-1",
    S3_ACCESS_KEY_ID: "key",
    S3_SECRET_ACCESS_KEY: "secret",
  };

  expect(readConfig(environment)).toEqual({
    ...environment,
    SIGN_UP: "open",
    ALLOW_LOOPBACK: "yes",
    PORT: 0,
    DATABASE_READ_URL: "postgres://parley:secret@replica/parley",
    DATABASE_POOL: 40,
    ARCHIVE_KEEP_DAYS: 30,
    ARCHIVE_BASE_HOURS: 6,
    LOG_LEVEL: "debug",
    PROCESSES: 4,
    DRAIN_SECONDS: 10,
    WORKER_THREADS: 8,
    INLINE_STEPS: false,
    METRICS_PUBLIC: true,
    CHANNELS: false,
    NESTED_STARTS: 20,
    EVENT_RETRY_SECONDS: "5, 60,86400",
    DELIVERY_ATTEMPTS: 30,
    UPLOAD_MAX_MB: 25,
    ANONYMOUS_MEGABYTES_A_DAY: 0,
  });
  expect(Object.keys(environment).toSorted()).toEqual(Object.keys(ConfigSchema.properties).toSorted());
});

test("open sign-up requires a mail server", () => {
  expect(() => readConfig({ SIGN_UP: "open" })).toThrow("SIGN_UP=open requires SMTP_URL");
  expect(readConfig({ SIGN_UP: "open", SMTP_URL: "smtp://localhost" }).SIGN_UP).toBe("open");
});

test("an empty variable counts as absent", () => {
  expect(readConfig({ PORT: "", ADMIN_TOKEN: "", DATABASE_URL: "" })).toEqual(readConfig({}));
});

const providerUrls = `origins by name such as stripe=http://127.0.0.1:12111, separated by commas; the names are ${serverNames().join(", ")}`;

const allowedHosts = "host names, or ports of this machine from 1024 such as localhost:4000, separated by commas";
const pauses = "1 to 30 whole numbers from 1 to 86400, separated by commas";

const modelServers =
  "origins such as http://localhost:11434, separated by commas, without paths and wildcards, but not addresses at which a cloud serves keys";

test.each(["192.0.2.1", "10.0.0.0/8, 2001:db8::/128,::1", "192.0.2.1,, ", "0.0.0.0/0"])(
  "TRUSTED_PROXIES=%s is accepted",
  (text) => {
    expect(readConfig({ TRUSTED_PROXIES: text }).TRUSTED_PROXIES).toBe(text);
    expect(() => hostReader(readConfig({ TRUSTED_PROXIES: text }))).not.toThrow();
  },
);

test("DATABASE_READ_URL is rejected without DATABASE_URL", () => {
  expect(() => readConfig({ DATABASE_READ_URL: "postgres://parley:secret@replica/parley" })).toThrow(
    new ConfigError("DATABASE_READ_URL requires DATABASE_URL: an embedded database has no replica."),
  );
});

test("S3_BUCKET is rejected if S3_SECRET_ACCESS_KEY is missing", () => {
  expect(() => readConfig({ S3_BUCKET: "parley-files", S3_ACCESS_KEY_ID: "key" })).toThrow(
    new ConfigError("S3_BUCKET requires S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY."),
  );
});

test("variables that are not settings are ignored", () => {
  expect(readConfig({ HOME: "/root", __proto__: "odd", constructor: "odd" })).toEqual(readConfig({}));
});

test.each([
  ["on", true],
  ["off", false],
  ["true", true],
  ["1", true],
  ["false", false],
  ["0", false],
])("METRICS_PUBLIC=%s is read as %p", (text, value) => {
  expect(readConfig({ METRICS_PUBLIC: text }).METRICS_PUBLIC).toBe(value);
});

test.each([
  ["PORT", "65536", "a whole number from 0 to 65535"],
  ["PORT", "3e3", "a whole number from 0 to 65535"],
  ["PORT", "-1", "a whole number from 0 to 65535"],
  ["PORT", " 80", "a whole number from 0 to 65535"],
  ["APP_PORT", "65536", "a whole number from 0 to 65535, or off"],
  ["APP_PORT", "none", "a whole number from 0 to 65535, or off"],
  ["SIGN_UP", "everybody", "invitation or open"],
  ["UPLOAD_MAX_MB", "101", "a whole number from 1 to 100"],
  ["ANONYMOUS_MEGABYTES_A_DAY", "-1", "a whole number from 0 to 100000000"],
  ["S3_ENDPOINT", "s3.example.com", "an address like https://s3.example.com"],
  ["S3_BUCKET", "-bucket", "the name of a bucket"],
  ["DATABASE_POOL", "1", "a whole number from 2 to 500"],
  ["DATABASE_URL", "mysql://db/parley", "an address like postgres://user:password@host:5432/database"],
  ["ADMIN_TOKEN", "fifteen letters", "16 or more ASCII characters, without a blank at either end"],
  ["ADMIN_TOKEN", " sixteen letters!", "16 or more ASCII characters, without a blank at either end"],
  ["PUBLIC_URL", "bots.example.com", "an address like https://bots.example.com"],
  ["PUBLIC_URL", "https://bots.example.com/path", "an address like https://bots.example.com"],
  ["PUBLIC_URL", "https://user@bots.example.com", "an address like https://bots.example.com"],
  ["CHAT_URL", "ftp://chat.example.com", "an address like https://chat.example.com"],
  ["ARCHIVE_TO", "ftp://host/folder", "the path of a folder, or an address like s3://bucket/prefix"],
  ["EVENT_RETRY_SECONDS", "5,,60", pauses],
  ["EVENT_RETRY_SECONDS", "0", pauses],
  ["EVENT_RETRY_SECONDS", "5.5", pauses],
  ["EVENT_RETRY_SECONDS", "5,86401", pauses],
  ["EVENT_RETRY_SECONDS", Array.from({ length: 31 }, () => "5").join(","), pauses],
  ["DELIVERY_ATTEMPTS", "0", "a whole number from 1 to 30"],
  ["DELIVERY_ATTEMPTS", "31", "a whole number from 1 to 30"],
  ["ARCHIVE_KEEP_DAYS", "0", "a whole number from 1 to 3650"],
  ["PROCESSES", "0", "a whole number from 1 to 64"],
  ["PROCESSES", "1000", "a whole number from 1 to 64"],
  ["PROCESSES", "many", "a whole number from 1 to 64"],
  ["DRAIN_SECONDS", "-1", "a whole number from 0 to 600"],
  ["DRAIN_SECONDS", "601", "a whole number from 0 to 600"],
  ["WORKER_THREADS", "0", "a whole number from 1 to 256"],
  ["LOG_LEVEL", "verbose", "debug, info, warn, error or silent"],
  ["ACCESS_LOG", "101%", "on, off or a share such as 10%"],
  ["OTEL_EXPORTER_OTLP_ENDPOINT", "localhost:4318", "an address like http://localhost:4318"],
  ["OTEL_EXPORTER_OTLP_HEADERS", "api-key", "names and values like api-key=secret, separated by commas"],
  ["OTEL_TRACES_SAMPLER_ARG", "2", "a number from 0 to 1"],
  ["TRUSTED_PROXIES", "abc", "IP addresses and ranges separated by commas, such as 10.0.0.0/8"],
  ["TRUSTED_PROXIES", "192.0.2.1, proxy.internal", "IP addresses and ranges separated by commas, such as 10.0.0.0/8"],
  ["TRUSTED_PROXIES", "10.0.0.0/33", "IP addresses and ranges separated by commas, such as 10.0.0.0/8"],
  ["TRUSTED_PROXIES", "10.0.0.0/8/8", "IP addresses and ranges separated by commas, such as 10.0.0.0/8"],
  ["TRUSTED_PROXIES", "fe80::1%eth0", "IP addresses and ranges separated by commas, such as 10.0.0.0/8"],
  ["OUTGOING_ALLOW", "http://crm.internal", allowedHosts],
  ["OUTGOING_ALLOW", "a,,b", allowedHosts],
  ["OUTGOING_ALLOW", "localhost", allowedHosts],
  ["OUTGOING_ALLOW", "db.localhost", allowedHosts],
  ["OUTGOING_ALLOW", "localhost:80", allowedHosts],
  ["OUTGOING_ALLOW", "localhost:65536", allowedHosts],
  ["OUTGOING_ALLOW", "crm.internal:4000", allowedHosts],
  ["OUTGOING_ALLOW", "127.0.0.1", allowedHosts],
  ["OUTGOING_ALLOW", "0.0.0.0", allowedHosts],
  ["OUTGOING_ALLOW", "0.0.0.0:4000", allowedHosts],
  ["OUTGOING_ALLOW", "[::1]:4000", allowedHosts],
  ["OUTGOING_ALLOW", "2130706433", allowedHosts],
  ["OUTGOING_ALLOW", "10.0.0.300", allowedHosts],
  ["OUTGOING_ALLOW", "93.184.216.34", allowedHosts],
  ["OUTGOING_ALLOW", "169.254.169.254", allowedHosts],
  ["OUTGOING_ALLOW", "metadata.google.internal", allowedHosts],
  ["ALLOW_LOOPBACK", "maybe", "yes or no"],
  ["MODEL_SERVERS", "localhost:11434", modelServers],
  ["MODEL_SERVERS", "http://localhost:11434/v1", modelServers],
  ["MODEL_SERVERS", "http://*.example.com", modelServers],
  ["MODEL_SERVERS", "http://169.254.169.254", modelServers],
  ["MODEL_SERVERS", "http://localhost:11434,http://[fd00:ec2::254]:80", modelServers],
  ["PROVIDER_URLS", "http://127.0.0.1:12111", providerUrls],
  ["PROVIDER_URLS", "strip=http://127.0.0.1:12111", providerUrls],
  ["PROVIDER_URLS", "stripe=127.0.0.1:12111", providerUrls],
  ["PROVIDER_URLS", "stripe=http://127.0.0.1:12111/v1", providerUrls],
  ["PROVIDER_URLS", "stripe=http://127.0.0.1:12111,google=http://169.254.169.254", providerUrls],
  ["ENCRYPTION_KEY", "x".repeat(31), "32 or more ASCII characters without blanks, as openssl rand -base64 32 prints"],
  ["ENCRYPTION_KEY_OLD", `${"x".repeat(32)},short`, "keys of 32 or more ASCII characters, separated by commas"],
  ["SMTP_URL", "mail.example.com", "an address like smtp://user:password@mail.example.com:587"],
  ["SMTP_FROM", "Bots", "a mail address like bots@example.com or Bots <bots@example.com>"],
  ["METRICS_PUBLIC", "yes", "on, off, true, false, 1 or 0"],
])("%s=%s is rejected with a message that names the variable and the allowed values", (name, value, expected) => {
  const read = () => readConfig({ [name]: value });

  expect(read).toThrow(ConfigError);
  expect(read).toThrow(new ConfigError(`${name} must be ${expected}.`));
});

test("a local port in OUTGOING_ALLOW requires a local HOST or ALLOW_LOOPBACK=yes", () => {
  const OUTGOING_ALLOW = "localhost:4000, 127.0.0.1:5000";
  for (const HOST of ["127.0.0.1", "localhost", "::1"]) expect(readConfig({ OUTGOING_ALLOW, HOST }).HOST).toBe(HOST);
  expect(readConfig({ OUTGOING_ALLOW, ALLOW_LOOPBACK: "yes" }).ALLOW_LOOPBACK).toBe("yes");
  for (const HOST of [undefined, "0.0.0.0", "192.168.1.5", "::"])
    expect(() => readConfig({ OUTGOING_ALLOW, HOST })).toThrow(
      "OUTGOING_ALLOW names a port of this machine, which requires HOST=127.0.0.1, or ALLOW_LOOPBACK=yes if other machines can reach Parley.",
    );
});

test.each([
  ["4000", { PORT: "4000" }],
  ["4000", { APP_PORT: "4000" }],
  ["4000", { PORT: "3999" }],
  ["5432", { DATABASE_URL: "postgres://parley@localhost/parley" }],
  ["6000", { DATABASE_URL: "postgres://parley@db.internal:5432,127.0.0.1:6000/parley" }],
  ["6000", { DATABASE_URL: "postgres://parley:secret@[::1]:6000/parley?sslmode=disable" }],
])("local port %s in OUTGOING_ALLOW is rejected if Parley or its database uses the port: %p", (port, settings) => {
  const read = () => readConfig({ HOST: "127.0.0.1", OUTGOING_ALLOW: `localhost:${port}`, ...settings });

  expect(read).toThrow(`OUTGOING_ALLOW names port ${port}, which Parley or its database uses.`);
});

test("the drain time is DRAIN_SECONDS, or five seconds behind proxies", () => {
  expect(drainMs(readConfig({}))).toBe(0);
  expect(drainMs(readConfig({ TRUSTED_PROXIES: "10.0.0.0/8" }))).toBe(5_000);
  expect(drainMs(readConfig({ TRUSTED_PROXIES: "10.0.0.0/8", DRAIN_SECONDS: "0" }))).toBe(0);
  expect(drainMs(readConfig({ DRAIN_SECONDS: "12" }))).toBe(12_000);
});
