import { createHmac, timingSafeEqual } from "node:crypto";
import { createServer } from "node:http";
import { isJsonObject, type JsonObject, textAt } from "../../src/core/interpreter/flow.ts";
import { newId } from "../../src/platform/ids.ts";
import { createScripts, type Script, type ShownMessage } from "./recorder.ts";
import { closeServer, listen } from "./telegram.ts";

/**
 * A user's own service with a webhook channel, based on `docs/channels.md` and Standard Webhooks. It rejects unsigned
 * messages, accepts each message once by its id, and records the messages that people have seen.
 */
export type FakeWebhook = {
  /** The URL to which the connection posts messages. */
  readonly url: string;
  /** The secret with which both sides sign messages. */
  secret: string;
  readonly shown: readonly ShownMessage[];
  shownTo(contact: string): string[];
  readonly repeated: readonly string[];
  readonly calls: readonly { readonly status: number }[];
  script(script: Script): void;
  connect(webhookUrl: string): void;
  /** Posts a signed message of a person, by default with a new id. Returns the status of the response. */
  write(contact: string | JsonObject, message: string | JsonObject, id?: string): Promise<number>;
  close(): Promise<void>;
};

export async function startFakeWebhook({
  secret = newSecret(),
  port = 0,
}: {
  readonly secret?: string;
  readonly port?: number;
} = {}): Promise<FakeWebhook> {
  const shown: ShownMessage[] = [];
  const repeated: string[] = [];
  const calls: { status: number }[] = [];
  const scripts = createScripts();
  let webhookUrl = "";

  const take = (headers: Record<string, string | undefined>, text: string): { status: number; body: JsonObject } => {
    if (!isSigned(headers, text, fake.secret)) return { status: 401, body: { error: "not signed" } };
    const payload: unknown = JSON.parse(text);
    const id = textAt(payload, "id") ?? "";
    const chat = textAt(payload, "contact", "id") ?? "";
    const body = isJsonObject(payload) && isJsonObject(payload["message"]) ? payload["message"] : {};
    if (textAt(payload, "version") !== "v1" || id === "" || chat === "" || id !== headers["webhook-id"]) {
      return { status: 400, body: { error: "not of version v1" } };
    }
    if (shown.some((one) => one.id === id)) {
      repeated.push(id);
      return { status: 200, body: { providerId: `p-${id}` } };
    }
    if (body["type"] === "typing") return { status: 200, body: {} };
    const said = String(body["text"] ?? body["url"] ?? "");
    shown.push({ chat, method: String(body["type"]), id, text: said, body });
    return { status: 200, body: { providerId: `p-${id}` } };
  };

  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const text = Buffer.concat(chunks).toString();
    const headers = Object.fromEntries(
      Object.entries(request.headers).map(([name, value]) => [name, Array.isArray(value) ? value.join() : value]),
    );
    const chat = textAt(parsed(text), "contact", "id") ?? "";
    const act = scripts.take({ method: "message", chat });
    if (act?.kind === "refuse") {
      response.destroy();
      return;
    }
    const answer = act?.kind === "answer" ? { status: act.status, body: act.body } : take(headers, text);
    calls.push({ status: act?.kind === "drop" ? 0 : answer.status });
    if (act?.kind === "drop") {
      response.destroy();
      return;
    }
    if (act?.kind === "slow") await act.until;
    response.writeHead(answer.status, {
      "Content-Type": "application/json",
      ...(act?.kind === "answer" && act.headers),
    });
    response.end(JSON.stringify(answer.body));
  });
  const url = `${await listen(server, port)}/messages`;

  const fake: FakeWebhook = {
    url,
    secret,
    shown,
    shownTo: (contact) => shown.filter(({ chat }) => chat === contact).map(({ text }) => text),
    repeated,
    calls,
    script: scripts.add,
    connect(address) {
      webhookUrl = address;
    },
    async write(contact, message, id = newId()) {
      const body = JSON.stringify({
        id,
        contact: typeof contact === "string" ? { id: contact } : contact,
        time: new Date().toISOString(),
        message: typeof message === "string" ? { text: message } : message,
      });
      const seconds = String(Math.floor(Date.now() / 1_000));
      const response = await fetch(webhookUrl, {
        method: "POST",
        headers: {
          "Content-Type": "application/json",
          "webhook-id": id,
          "webhook-timestamp": seconds,
          "webhook-signature": `v1,${signatureOf(fake.secret, `${id}.${seconds}.${body}`)}`,
        },
        body,
      });
      return response.status;
    },
    close: () => closeServer(server),
  };
  return fake;
}

/** Returns a secret in the service's format. */
export function newSecret(): string {
  return `whsec_${Buffer.from(newId() + newId()).toString("base64")}`;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/**
 * Checks a message as Standard Webhooks requires: any of the signatures may match, and the time may differ by at most
 * five minutes.
 */
function isSigned(headers: Readonly<Record<string, string | undefined>>, body: string, secret: string): boolean {
  const { "webhook-id": id = "", "webhook-timestamp": seconds = "", "webhook-signature": given = "" } = headers;
  if (Math.abs(Number(seconds) - Date.now() / 1_000) > 300) return false;
  const known = Buffer.from(signatureOf(secret, `${id}.${seconds}.${body}`));
  return given.split(" ").some((one) => {
    const [version = "", signature = ""] = one.split(",");
    const bytes = Buffer.from(signature);
    return version === "v1" && bytes.length === known.length && timingSafeEqual(bytes, known);
  });
}

function signatureOf(secret: string, signed: string): string {
  const key = Buffer.from(secret.replace(/^whsec_/, ""), "base64");
  return createHmac("sha256", key).update(signed).digest("base64");
}
