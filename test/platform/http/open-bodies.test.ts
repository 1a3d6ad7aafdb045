import { afterAll, beforeAll, describe, expect, spyOn, test } from "bun:test";
import { Type } from "@sinclair/typebox";
import { limits } from "../../../src/limits/index.ts";
import { needsNoToken } from "../../../src/management/operations/authentication.ts";
import { largestBody } from "../../../src/management/operations/body-size.ts";
import { operationFor } from "../../../src/management/operations/operation.ts";
import { createReportIgnored } from "../../../src/platform/http/ignored.ts";
import { exampleId } from "../../../src/platform/http/schemas.ts";
import { createApp } from "../../../src/service/app.ts";
import { operations } from "../../../src/service/operations.ts";
import { createTestApi, type TestApi } from "../../support/api.ts";
import { noteError } from "../../support/contract.ts";
import { ownPage } from "../../support/sign-ins.ts";

let api: TestApi;

beforeAll(async () => {
  api = await createTestApi({ config: { RATE_LIMITS: "off" } });
});
afterAll(() => api.close());

type Handle = (request: Request) => Promise<Response>;

const open = operations.filter(({ auth, body }) => auth.kind !== "token" && body);
const filled = (path: string) => path.replaceAll(/:\w+/g, exampleId);

/** Sends a body that records whether it is read. */
async function sendUnread(handle: Handle, url: string, headers: Readonly<Record<string, string>> = {}) {
  let pieces = 0;
  const body = new ReadableStream<Uint8Array<ArrayBuffer>>(
    {
      pull(controller) {
        pieces++;
        controller.enqueue(new Uint8Array(1024));
      },
    },
    { highWaterMark: 0 },
  );
  const type = { "Content-Type": "application/json" };
  const response = await handle(new Request(url, { method: "POST", body, headers: { ...type, ...headers } }));
  const { code, data } = await response.json();
  noteError(code);
  return { code, data, pieces };
}

describe("an operation without authentication", () => {
  test("every operation without authentication has the listed limit for its body", () => {
    const sizes = Object.fromEntries(
      open.map(({ method, path, openBodyBytes }) => [`${method} ${path}`, openBodyBytes]),
    );
    const { chatBodyBytes, uploadWishBytes } = limits.request;
    const previewBytes = limits.flow.anonymousBytes + chatBodyBytes;
    expect(sizes).toEqual({
      "POST /api/v1/invitations/accept": 3_816,
      "POST /api/v1/sign-in/token": 7_062,
      "POST /api/v1/sign-in/link": 2_268,
      "POST /api/v1/sign-in/email": 2_982,
      "POST /api/v1/sign-in/email-code": 3_132,
      "POST /api/v1/bots/:botId/startChat": chatBodyBytes,
      "POST /api/v1/typebots/:typebotId/startChat": chatBodyBytes,
      "POST /api/v1/bots/:botId/preview/startChat": previewBytes,
      "POST /api/v1/typebots/:typebotId/preview/startChat": previewBytes,
      "POST /api/v1/sessions/:sessionId/continueChat": chatBodyBytes,
      "POST /api/v1/sessions/:sessionId/tryAgain": chatBodyBytes,
      "POST /api/v1/sessions/:sessionId/goBack": chatBodyBytes,
      "POST /api/v1/sessions/:sessionId/stopAnswer": chatBodyBytes,
      "POST /api/v1/sessions/:sessionId/rating": limits.ratings.bytes,
      "POST /api/v1/sessions/:sessionId/suggestions": limits.suggestions.bytes,
      "POST /api/v1/sessions/:sessionId/clientLogs": limits.logs.clientBytes,
      "POST /api/v2/sessions/:sessionId/clientLogs": limits.logs.clientBytes,
      "POST /api/v2/sessions/:sessionId/streamMessage": chatBodyBytes,
      "POST /api/v3/generate-upload-url": uploadWishBytes,
      "POST /api/v2/generate-upload-url": uploadWishBytes,
      "POST /api/v1/generate-upload-url": uploadWishBytes,
    });
  });

  test.each(open.map(({ path, openBodyBytes = 0 }) => [path, openBodyBytes] as const))(
    "%s rejects a body above its limit by the announced length, without reading the body",
    async (path, openBodyBytes) => {
      const { handle } = api.openBuilder();
      const length = { "Content-Length": String(openBodyBytes + 1) };
      const refused = await sendUnread(handle, `http://localhost${filled(path)}`, { ...ownPage, ...length });
      expect(refused).toEqual({ code: "request.too_large", data: { maxBytes: openBodyBytes }, pieces: 0 });
    },
  );

  test("an operation without authentication cannot have an unlimited body", () => {
    const make = (field: Parameters<typeof Type.Object>[0]) =>
      operationFor("Health")({
        ...{ id: "sayHello", route: "POST /api/v1/hello", summary: "Say hello" },
        auth: needsNoToken,
        body: Type.Object(field),
        answer: Type.Object({}),
        answerExample: {},
        handle: () => ({}),
      });
    expect(make({ name: Type.String({ maxLength: 10 }) }).openBodyBytes).toBe(1_024 + 2 + 28 + 62);
    expect(() => make({ name: Type.String() })).toThrow("/api/v1/hello is public and needs `bodyBytes`");
  });
});

test("the largest body that a schema permits fits into the derived limit", () => {
  const schema = Type.Object({
    name: Type.String({ maxLength: 3 }),
    kind: Type.Union([Type.Literal("one"), Type.Literal("three")]),
    counts: Type.Array(Type.Integer(), { maxItems: 2 }),
    isNew: Type.Optional(Type.Boolean()),
  });
  // Clients may send each character as an escape sequence.
  const escaped = (text: string) => [...text].map(() => "\\u00e4").join("");
  const key = (name: string) => `"${escaped(name)}"`;
  const largest = `{${key("name")}:"${escaped("abc")}",${key("kind")}:"${escaped("three")}",${key("counts")}:[${-(2 ** 53)},${-(2 ** 53)}],${key("isNew")}:false}`;
  const size = largestBody(schema) ?? 0;
  expect(largest.length).toBeLessThanOrEqual(size - limits.request.foreignBodyBytes);
  expect(largestBody(Type.Object({ any: Type.Unknown() }))).toBeUndefined();
  expect(largestBody(Type.Object({ list: Type.Array(Type.Boolean()) }))).toBeUndefined();
  expect(largestBody(Type.Object({ map: Type.Record(Type.String(), Type.Boolean()) }))).toBeUndefined();
  expect(largestBody(Type.Object({}, { additionalProperties: Type.String() }))).toBeUndefined();
});

describe("a request that is rejected before its body is read", () => {
  test.each(["token", "link", "email", "email-code"])(
    "a sign-in by %s is rejected if sign-ins are impossible",
    async (way) => {
      const refused = await sendUnread(api.handle, `http://localhost/api/v1/sign-in/${way}`);
      expect(refused).toMatchObject({ code: "sign_in.not_here", pieces: 0 });
    },
  );

  test("a request to a path of the other host is rejected before its body is read", async () => {
    const config = { ...api.deps.config, PUBLIC_URL: "http://app.example", CHAT_URL: "http://chat.example" };
    const app = createApp({ ...api.deps, config });
    const paths = ["chat.example/api/v1/sign-in/token", "app.example/api/v1/bots/shop/startChat"];
    for (const path of paths) {
      const refused = await sendUnread((request) => app.handle(request), `http://${path}`);
      expect(refused).toMatchObject({ code: "route.not_found", pieces: 0 });
    }
  });

  test("a request without the required token is rejected before its body is read", async () => {
    const refused = await sendUnread(api.handle, "http://localhost/api/v1/bots/import");
    expect(refused).toMatchObject({ code: "token.missing", pieces: 0 });
  });
});

test("of 50,000 unknown keys, only the reported keys are examined", () => {
  const reportIgnored = createReportIgnored({ query: Type.Object({}), body: Type.Object({}), isBodyReported: true });
  const body = Object.fromEntries(Array.from({ length: 50_000 }, (_, index) => [`key${index}`, index]));
  const reads = spyOn(Object, "hasOwn");
  const lists = [spyOn(Object, "entries"), spyOn(Object, "keys")];
  const answerHeaders: Record<string, string> = {};
  reportIgnored(new Headers(), { search: "", body, answerHeaders });
  const read = reads.mock.calls.filter(([, key]) => String(key).startsWith("key")).length;
  const listed = lists.flatMap((list) => list.mock.calls).filter(([value]) => value === body);
  for (const spy of [reads, ...lists]) spy.mockRestore();
  expect([read, listed]).toEqual([limits.request.issues, []]);
  expect(answerHeaders["Parley-Ignored"]).toStartWith('"key0";in=body, "key1";in=body');
});
