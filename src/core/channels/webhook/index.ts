import { createHmac } from "node:crypto";
import { Type } from "@sinclair/typebox";
import { textAt } from "../../interpreter/flow.ts";
import { parseUntrustedJson } from "../../interpreter/language/untrusted-json.ts";
import { titled } from "../../interpreter/schemas/field-marks.ts";
import {
  defineChannel,
  type FailureClass,
  type ProviderAnswer,
  type SendVerdict,
  type WebhookRequest,
} from "../channel.ts";
import { isSameSecret } from "../secrets.ts";
import { commonSettings } from "../settings.ts";
import { capabilities, pace } from "./capabilities.ts";
import { read } from "./read.ts";
import { render } from "./render.ts";
import { wordsOf } from "./words.ts";

const settings = Type.Object({
  url: titled(
    "URL of your service",
    Type.String({ format: "uri", maxLength: 2_000, description: "The URL to which messages of bots are posted." }),
  ),
  ...commonSettings,
});

const secrets = Type.Object({
  secret: titled(
    "Signing secret",
    Type.String({
      pattern: "^whsec_[A-Za-z0-9+/=]{16,200}$",
      description: "The secret that signs calls in both directions, as in Standard Webhooks. The service generates it.",
    }),
  ),
});

/** The maximum difference between the sender's clock and the clock of this service. */
const toleranceMs = 5 * 60_000;

export const webhook = defineChannel({
  type: "webhook",
  name: "Webhook",
  page: "channels-webhook.md",
  settings,
  secrets,
  madeSecrets: ["secret"],
  secretOf: (random) => `whsec_${Buffer.from(random).toString("base64")}`,
  capabilities,
  verify: (request, { secret }) => ({ kind: isSigned(request, secret) ? "accepted" : "refused" }),
  read,
  render,
  wordsOf,
  call: ({ body }, { address, messageId }, connection) => ({
    method: "POST",
    path: connection.settings.url,
    headers: [["Content-Type", "application/json"]],
    body: JSON.stringify({ version: "v1", id: messageId, contact: { id: address.value }, message: body }),
  }),
  stamp: ({ body = "" }, { messageId: id, seconds }, secretsInUse) =>
    signatureHeaders(
      { id, seconds, body },
      secretsInUse.map(({ secret }) => secret),
    ),
  readAnswer,
  signs: { typing: () => ({ method: "event", body: { type: "typing" } }) },
  plans: {
    // The receiver is a custom service. There is no test call because any call would be a message.
    check: () => [],
    readCheck: (_answers, { settings: { url } }) => ({
      display: URL.parse(url)?.host ?? url,
      points: [{ name: "delivery", state: "unknown" }],
    }),
    register: () => [],
    unregister: () => [],
    problemIn: () => undefined,
  },
  findMedia: (reference) => ({ kind: "address", url: reference }),
  pace,
});

/**
 * Returns the headers of a signed call. The headers contain one signature per active secret, so that the receiver can
 * verify any of the signatures.
 */
export function signatureHeaders(
  { id, seconds, body }: { readonly id: string; readonly seconds: number; readonly body: string },
  secretsInUse: readonly string[],
): (readonly [name: string, value: string])[] {
  const signed = `${id}.${seconds}.${body}`;
  return [
    ["webhook-id", id],
    ["webhook-timestamp", String(seconds)],
    ["webhook-signature", secretsInUse.map((secret) => `v1,${signatureOf(secret, signed)}`).join(" ")],
  ];
}

function isSigned({ headers, body, now }: WebhookRequest, secret: string): boolean {
  const id = headers.get("webhook-id");
  const timestamp = headers.get("webhook-timestamp") ?? "";
  if (id === null || !/^\d{1,12}$/.test(timestamp)) return false;
  if (Math.abs(Number(timestamp) * 1_000 - now) > toleranceMs) return false;
  const known = `v1,${signatureOf(secret, Buffer.concat([Buffer.from(`${id}.${timestamp}.`), body]))}`;
  return (headers.get("webhook-signature") ?? "").split(" ").some((given) => isSameSecret(given, known));
}

function signatureOf(secret: string, signed: string | Uint8Array): string {
  return createHmac("sha256", Buffer.from(secret.replace(/^whsec_/, ""), "base64"))
    .update(signed)
    .digest("base64");
}

function readAnswer({ status, wasSent, retryAfter, body }: ProviderAnswer): SendVerdict {
  if (status === undefined) return wasSent ? { kind: "doubt" } : failed("passing", "", "No response was received");
  if (status >= 200 && status < 300) {
    return { kind: "accepted", providerId: textAt(parseUntrustedJson(body)?.value, "providerId") ?? "" };
  }
  if (status === 429 || status === 503) {
    const seconds = Number(retryAfter);
    return { kind: "retry", scope: "connection", ...(seconds > 0 && { afterMs: seconds * 1_000 }) };
  }
  return failed(classOf(status), String(status), body.slice(0, 200));
}

function classOf(status: number): FailureClass {
  if (status === 410) return "unreachable";
  if (status === 401 || status === 403) return "auth";
  return status >= 500 || status === 408 ? "passing" : "content";
}

function failed(of: FailureClass, code: string, detail: string): SendVerdict {
  return { kind: "failed", class: of, code, detail };
}
