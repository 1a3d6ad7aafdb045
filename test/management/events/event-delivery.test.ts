import { afterEach, expect, test } from "bun:test";
import type { ServerResponse } from "node:http";
import { Webhook, WebhookVerificationError } from "standardwebhooks";
import { createSafeFetch } from "../../../src/effects/safe-fetch/safe-fetch.ts";
import { limits } from "../../../src/limits/index.ts";
import { sendSigned } from "../../../src/management/events/event-delivery.ts";
import { newId } from "../../../src/platform/ids.ts";
import { type OutsideRequest, type OutsideServer, outsideFetch, startOutside } from "../../support/outside.ts";

const secret = `whsec_${Buffer.alloc(32, 1).toString("base64")}`;
const before = `whsec_${Buffer.alloc(32, 2).toString("base64")}`;
const body = JSON.stringify({ type: "ping", timestamp: "2026-08-22T06:05:06.000Z", data: { word: "größer" } });
const servers: OutsideServer[] = [];

afterEach(async () => {
  for (const server of servers.splice(0)) await server.close();
});

async function receiver(answer: (response: ServerResponse, request: OutsideRequest) => void): Promise<OutsideServer> {
  const server = await startOutside((request, response) => answer(response, request));
  servers.push(server);
  return server;
}

function send(url: string, { secrets = [secret] }: { secrets?: readonly string[] } = {}) {
  return sendSigned(
    { safeFetch: outsideFetch() },
    { url, id: "message-1", body, workspaceId: newId(), secrets, keepAliveKey: "receiver" },
  );
}

function headersOf(server: OutsideServer): Record<string, string> {
  const entries = Object.entries(server.requests[0]?.headers ?? {});
  return Object.fromEntries(entries.flatMap(([name, value]) => (typeof value === "string" ? [[name, value]] : [])));
}

test("the library of the webhook specification verifies a received call", async () => {
  const server = await receiver((response) => response.end("thank you"));

  const attempt = await send(server.url("/events?from=parley"));

  expect(attempt).toEqual({ kind: "delivered", statusCode: 200, response: "thank you" });
  const [request] = server.requests;
  expect(request).toMatchObject({ method: "POST", path: "/events?from=parley", body });
  expect(headersOf(server)).toMatchObject({
    "content-type": "application/json",
    "webhook-id": "message-1",
    "parley-hops": "1",
  });
  expect(new Webhook(secret).verify(request?.body ?? "", headersOf(server))).toEqual(JSON.parse(body));
  expect(() => new Webhook(secret).verify(`${request?.body} `, headersOf(server))).toThrow(WebhookVerificationError);
});

test("either secret verifies a call while a secret is replaced", async () => {
  const server = await receiver((response) => response.end());

  await send(server.url(), { secrets: [secret, before] });

  expect(new Webhook(secret).verify(body, headersOf(server))).toEqual(JSON.parse(body));
  expect(new Webhook(before).verify(body, headersOf(server))).toEqual(JSON.parse(body));
  const strange = `whsec_${Buffer.alloc(32, 3).toString("base64")}`;
  expect(() => new Webhook(strange).verify(body, headersOf(server))).toThrow(WebhookVerificationError);
});

test.each([200, 201, 202, 204, 299])("a call with the response status %p is delivered", async (status) => {
  const server = await receiver((response) => response.writeHead(status).end());

  expect(await send(server.url())).toMatchObject({ kind: "delivered", statusCode: status });
});

test.each([
  [400, { isUnreachable: false, isGone: false }],
  [404, { isUnreachable: false, isGone: false }],
  [410, { isUnreachable: false, isGone: true }],
  [429, { isUnreachable: true, isGone: false }],
  [500, { isUnreachable: true, isGone: false }],
  [503, { isUnreachable: true, isGone: false }],
])("a call with the response status %p fails with the corresponding reason", async (status, meaning) => {
  const server = await receiver((response) => response.writeHead(status).end("no"));

  expect(await send(server.url())).toEqual({
    kind: "failed",
    statusCode: status,
    error: `The receiver responded with status ${status}`,
    response: "no",
    retryAfterSeconds: null,
    ...meaning,
  });
});

test("a redirect by the receiver of an event is not followed", async () => {
  const server = await receiver((response) => response.writeHead(307, { Location: "/elsewhere" }).end());

  expect(await send(server.url())).toMatchObject({ kind: "failed", statusCode: 307 });
  expect(server.requests).toHaveLength(1);
});

test.each([
  ["120", 120],
  ["999999999", limits.events.retryAfterSeconds],
  ["soon", null],
  ["Thu, 01 Jan 1970 00:00:00 GMT", 0],
])(
  "the seconds that the header Retry-After %p of a busy receiver requests are read as %p",
  async (retryAfter, seconds) => {
    const server = await receiver((response) => response.writeHead(429, { "Retry-After": retryAfter }).end());

    expect(await send(server.url())).toMatchObject({ kind: "failed", retryAfterSeconds: seconds });
  },
);

test("a date in Retry-After is converted to the seconds until that date", async () => {
  const date = new Date(Date.now() + 60_000).toUTCString();
  const server = await receiver((response) => response.writeHead(503, { "Retry-After": date }).end());

  const attempt = await send(server.url());

  const seconds = attempt.kind === "failed" ? attempt.retryAfterSeconds : null;
  expect(seconds).toBeGreaterThan(50);
  expect(seconds).toBeLessThan(62);
});

test("an attempt contains only the beginning of a receiver's long response", async () => {
  const server = await receiver((response) => response.end("x".repeat(limits.outgoing.bytes + 1)));

  const attempt = await send(server.url());

  expect(attempt).toEqual({
    kind: "delivered",
    statusCode: 200,
    response: "x".repeat(limits.events.responseCharacters),
  });
});

test("a response in an encoding that was not requested still counts as a delivery", async () => {
  const server = await receiver((response) =>
    response.writeHead(200, { "Content-Encoding": "gzip" }).end(Bun.gzipSync("hello")),
  );

  expect(await send(server.url())).toEqual({ kind: "delivered", statusCode: 200, response: "" });
});

test("a call to an endpoint without a listening server fails without a status", async () => {
  const server = await receiver((response) => response.end());
  const url = server.url();
  await server.close();

  expect(await send(url)).toMatchObject({ kind: "failed", statusCode: null, isUnreachable: true });
});

test("an endpoint at a loopback address is not called", async () => {
  const server = await receiver((response) => response.end());

  const attempt = await sendSigned(
    { safeFetch: createSafeFetch() },
    {
      url: `http://127.0.0.1:${server.port}/`,
      id: "message-1",
      body,
      workspaceId: newId(),
      secrets: [secret],
      keepAliveKey: "receiver",
    },
  );

  expect(attempt).toMatchObject({ kind: "failed", statusCode: null, error: "This address is not public" });
  expect(server.requests).toHaveLength(0);
});
