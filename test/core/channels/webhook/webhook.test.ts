import { describe, expect, test } from "bun:test";
import { signatureHeaders, webhook } from "../../../../src/core/channels/webhook/index.ts";

const secret = `whsec_${Buffer.from("a secret of sixteen").toString("base64")}`;
const now = Date.parse("2026-01-01T00:00:00Z");
const body = JSON.stringify({ id: "m1", contact: { id: "c1" }, message: { text: "Hi" } });

describe("a signed call", () => {
  const call = (text: string, { secrets = [secret], seconds = now / 1_000, without = "" } = {}) => {
    const headers = signatureHeaders({ id: "m1", seconds, body }, secrets).filter(([name]) => name !== without);
    const request = {
      method: "POST",
      query: new URLSearchParams(),
      headers: new Headers(headers.map(([name, value]): [string, string] => [name, value])),
      body: new TextEncoder().encode(text),
      now,
    };
    return webhook.verify(request, { secret }).kind;
  };
  const otherSecret = `whsec_${Buffer.from("another secret here").toString("base64")}`;

  test("a signed call is accepted within five minutes", () => {
    expect(call(body)).toBe("accepted");
    expect(call(body, { secrets: [otherSecret, secret] })).toBe("accepted");
    expect(call(body, { seconds: now / 1_000 + 300 })).toBe("accepted");
  });

  test("a call with a wrong, old or missing signature is refused", () => {
    expect(call(body, { secrets: [otherSecret] })).toBe("refused");
    expect(call(`${body} `)).toBe("refused");
    expect(call(body, { seconds: now / 1_000 - 301 })).toBe("refused");
    for (const without of ["webhook-id", "webhook-timestamp", "webhook-signature"]) {
      expect(call(body, { without })).toBe("refused");
    }
  });
});

const contact = { kind: "person", addresses: [{ kind: "user", value: "c1" }] } as const;
const from = { providerId: "m1", contact };

test.each<[string, object, object]>([
  ["a text", { text: "Hi" }, { ...from, kind: "message", content: { kind: "text", text: "Hi" } }],
  ["a pressed button", { tap: "12.1" }, { ...from, kind: "tap", token: "12.1" }],
  [
    "a file",
    { file: { url: "https://e.org/cv.pdf", name: "cv.pdf", type: "application/pdf" }, caption: "Mine" },
    {
      ...from,
      kind: "message",
      content: {
        ...{ kind: "media", media: "document", reference: "https://e.org/cv.pdf", caption: "Mine" },
        ...{ fileName: "cv.pdf", mimeType: "application/pdf" },
      },
    },
  ],
  [
    "a location",
    { location: { latitude: 1, longitude: 2 } },
    { ...from, kind: "message", content: { kind: "location", latitude: 1, longitude: 2 } },
  ],
])("a message from a custom program is parsed: %s", (_, message, event) => {
  expect<unknown>(webhook.read({ id: "m1", contact: { id: "c1" }, message })).toEqual([event]);
});

test("a phone number is read as an additional address", () => {
  const one = { id: "m1", contact: { id: "c1", name: "Ada", phone: "+491701234567" }, time: "2026-01-01T00:00:00Z" };
  const events = webhook.read({ messages: [{ ...one, message: { text: "a" } }, { id: "m2" }, 7] });

  expect(events).toMatchObject([
    {
      sentAt: now,
      contact: { name: "Ada", addresses: [{ kind: "user" }, { kind: "phone", value: "+491701234567" }] },
    },
    { kind: "unreadable", providerId: "m2" },
    { kind: "unreadable", providerId: "unreadable 7", start: "7" },
  ]);
});

test.each([
  [
    { status: 200, body: '{"providerId":"p1"}' },
    { kind: "accepted", providerId: "p1" },
  ],
  [
    { status: 204, body: "" },
    { kind: "accepted", providerId: "" },
  ],
  [
    { status: 410, body: "gone" },
    { kind: "failed", class: "unreachable", code: "410", detail: "gone" },
  ],
  [
    { status: 401, body: "" },
    { kind: "failed", class: "auth", code: "401", detail: "" },
  ],
  [
    { status: 429, body: "", retryAfter: "7" },
    { kind: "retry", scope: "connection", afterMs: 7_000 },
  ],
  [
    { status: 503, body: "" },
    { kind: "retry", scope: "connection" },
  ],
  [
    { status: 500, body: "" },
    { kind: "failed", class: "passing", code: "500", detail: "" },
  ],
  [
    { status: 422, body: "" },
    { kind: "failed", class: "content", code: "422", detail: "" },
  ],
  [{ body: "" }, { kind: "doubt" }],
])("a response of a custom service is classified: %j", (answer, verdict) => {
  expect<unknown>(webhook.readAnswer({ wasSent: true, ...answer })).toEqual(verdict);
});

test("a message is posted to the service's address", () => {
  const call = webhook.call(
    { method: "message", body: { type: "text", text: "Hi" } },
    { address: { kind: "user", value: "c1" }, messageId: "s7" },
    { settings: { url: "https://e.org/hook" }, secrets: { secret } },
  );

  expect(call.path).toBe("https://e.org/hook");
  expect(JSON.parse(call.body ?? "")).toEqual({
    version: "v1",
    id: "s7",
    contact: { id: "c1" },
    message: { type: "text", text: "Hi" },
  });
});
