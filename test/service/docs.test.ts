import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { blocks } from "../../src/core/blocks/index.ts";
import { unservedBlocks } from "../../src/core/flow/known-keys.ts";
import { errorCatalogue } from "../../src/errors.ts";
import { checker } from "../../src/platform/http/validation.ts";
import { operations } from "../../src/service/operations.ts";
import { createTestApi, type TestApi } from "../support/api.ts";
import { valueAt } from "../support/client.ts";
import { readText } from "../support/tidy/project.ts";

let api: TestApi;
let document: unknown;

beforeAll(async () => {
  api = await createTestApi();
  document = await (await load("/docs/json")).json();
});
afterAll(() => api.close());

const load = (path: string, target = api) => target.handle(new Request(`http://localhost${path}`));

/**
 * Returns the operation in the document. Its path is a key with dots and braces, so the path is looked up separately.
 */
function documented({ method, path }: { method: string; path: string }): unknown {
  const paths = valueAt(document, "paths");
  const key = path.replace(/:(\w+)/g, "{$1}");
  const entry: unknown = Object.getOwnPropertyDescriptor(paths ?? {}, key)?.value;
  return valueAt(entry, method.toLowerCase());
}

describe("/docs/json", () => {
  test("/docs/json lists exactly the operations that are served", () => {
    const listed = Object.entries(valueAt(document, "paths") ?? {}).flatMap(([path, entry]) =>
      Object.keys(entry).map((method) => `${method.toUpperCase()} ${path}`),
    );
    const served = operations.map(({ method, path }) => `${method} ${path.replace(/:(\w+)/g, "{$1}")}`);
    expect(listed.sort()).toEqual(served.sort());
  });

  test("/docs/json has a summary, a group and a unique name for each operation", () => {
    expect(new Set(operations.map(({ id }) => id)).size).toBe(operations.length);
    for (const operation of operations) {
      expect(operation.id).toMatch(/^[a-z][A-Za-z]{3,39}$/);
      expect(valueAt(documented(operation), "operationId")).toBe(operation.id);
      expect(valueAt(documented(operation), "summary")).toBe(operation.summary);
      expect(valueAt(documented(operation), "tags")).toEqual([operation.tag]);
    }
  });

  test("/docs/json lists the possible errors of each operation", () => {
    for (const operation of operations) {
      const responses = valueAt(documented(operation), "responses");
      const tagged = operation.isTagged ? [304] : [];
      const statuses = [200, ...tagged, ...operation.errors.map((code) => errorCatalogue[code].status)];
      expect(Object.keys(responses ?? {})).toEqual([...new Set(statuses)].sort().map(String));
    }
    const created = documented({ method: "POST", path: "/api/v1/workspaces" });
    expect(valueAt(created, "responses.401.content.application/json.schema")).toEqual({
      $ref: "#/components/schemas/Error",
    });
  });

  test("/docs/json is an OpenAPI 3.1 document", () => {
    const servers = [{ url: "/", description: "This service." }];
    expect([valueAt(document, "openapi"), valueAt(document, "servers")]).toEqual(["3.1.0", servers]);
    expect(valueAt(document, "components.schemas.Folder.properties.parentFolderId.anyOf.1")).toEqual({ type: "null" });
    expect(JSON.stringify(document)).not.toContain('"nullable"');
  });

  test("/docs/json is compressed for clients that accept compression", async () => {
    const headers = { "Accept-Encoding": "gzip, br" };
    const answer = await api.handle(new Request("http://localhost/docs/json", { headers }));
    const packed = await answer.bytes();
    expect(answer.headers.get("content-encoding")).toBe("gzip");
    expect(JSON.parse(new TextDecoder().decode(Bun.gunzipSync(packed)))).toEqual(document);
    expect(packed.length).toBeLessThan(205_000);
    const [, megabytes, kilobytes] = /([\d.]+) MB, or (\d+) kB with gzip/.exec(readText("docs/client.md")) ?? [];
    expect(Math.abs(Number(megabytes) - JSON.stringify(document).length / 1_000_000)).toBeLessThanOrEqual(0.1);
    expect(Math.abs(Number(kilobytes) - packed.length / 1_000)).toBeLessThanOrEqual(5);
  });

  test("/docs/json is also available at /api/openapi.json", async () => {
    expect(await (await load("/api/openapi.json")).json()).toEqual(document);
  });

  test("/docs/json declares the request and response headers of an operation", () => {
    const start = documented({ method: "POST", path: "/api/v1/bots/:botId/startChat" });
    expect(Object.keys(valueAt(start, "responses.200.headers") ?? {})).toEqual([
      ...["X-Request-Id", "Parley-Ignored", "Idempotency-Replayed"],
    ]);
    expect(Object.keys(valueAt(start, "responses.503.headers") ?? {})).toEqual(["X-Request-Id", "Retry-After"]);
    expect(valueAt(start, "parameters.1")).toMatchObject({ name: "Idempotency-Key", in: "header", required: false });
  });

  test("/docs/json declares whether an operation requires a token", () => {
    const security = (method: string, path: string) => valueAt(documented({ method, path }), "security");
    expect(security("GET", "/api/v1/workspaces")).toEqual([{ token: [] }]);
    expect(security("POST", "/api/v1/invitations/accept")).toEqual([{ token: [] }, {}]);
    expect(security("GET", "/api/healthz")).toEqual([]);
    expect(valueAt(document, "components.securitySchemes.token")).toMatchObject({ type: "http", scheme: "bearer" });
  });

  test("/docs/json references only schemas that it contains", () => {
    const text = JSON.stringify(document);
    const named = [...text.matchAll(/"#\/components\/schemas\/([^"]+)"/g)].map(([, name]) => name ?? "");
    expect(named).toContain("Workspace");
    const held = Object.keys(valueAt(document, "components.schemas") ?? {});
    expect(held).toEqual(expect.arrayContaining([...new Set(named)]));
    expect(text).not.toContain('"$id"');
  });

  test("/docs/json declares the parts of a flow that a preview receives", () => {
    const preview = documented({ method: "POST", path: "/api/v1/bots/:botId/preview/startChat" });
    const reference = valueAt(preview, "requestBody.content.application/json.schema.properties.bot");
    expect(reference).toEqual({ $ref: "#/components/schemas/SuppliedFlow" });
    const bot = valueAt(document, "components.schemas.SuppliedFlow");
    expect(Object.keys(valueAt(bot, "properties") ?? {})).toEqual([
      ...["version", "id", "events", "groups", "edges", "variables", "theme", "settings"],
    ]);
    expect(valueAt(bot, "properties.groups.items")).toEqual({ $ref: "#/components/schemas/Group" });
    expect(valueAt(document, "components.schemas.Group.properties.blocks.anyOf.0.items")).toEqual({
      $ref: "#/components/schemas/Block",
    });
  });

  test.each([
    ["Block", "choice input", "ChoiceInputBlock", ["id", "type", "outgoingEdgeId", "options", "items"]],
    ["Block", "Webhook", "HttpRequestBlock", ["id", "type", "outgoingEdgeId", "options"]],
    ["Message", "text", "TextMessage", ["id", "type", "content", "notice", "isAnswer", "unfinished"]],
    ["Input", "choice input", "ChoiceInput", ["id", "type", "outgoingEdgeId", "options", "items", "prefilledValue"]],
  ])("/docs/json distinguishes the choices of %s by their type: %s is %s", (choice, type, name, fields) => {
    const schemas = valueAt(document, "components.schemas");
    const { oneOf, discriminator } = Object(valueAt(schemas, choice));
    const own = valueAt(schemas, name);

    expect(discriminator.propertyName).toBe("type");
    expect(discriminator.mapping[type]).toBe(`#/components/schemas/${name}`);
    expect(oneOf).toContainEqual({ $ref: `#/components/schemas/${name}` });
    expect(valueAt(own, "properties.type.const")).toBe(type);
    expect(Object.keys(valueAt(own, "properties") ?? {})).toEqual(fields);
  });

  test("/docs/json lists every known block type", () => {
    const named = (choice: string) =>
      Object.keys(valueAt(document, `components.schemas.${choice}.discriminator.mapping`) ?? {});

    expect(named("Block").sort()).toEqual([...blocks.keys(), ...unservedBlocks.keys()].sort());
    const ofFamily = (family: string) => [...blocks.values()].filter((block) => block.family === family);
    // Some integrations render their bubble in an element that code fills.
    expect(named("Message")).toEqual([...ofFamily("bubble").map(({ type }) => type), "custom-embed"]);
    expect(named("Input")).toEqual(ofFamily("input").map(({ type }) => type));
    const inputs = Object.entries(valueAt(document, "components.schemas") ?? {}).filter(([name]) =>
      name.endsWith("Input"),
    );
    expect(JSON.stringify(inputs)).not.toMatch(/credentialsId|displayCondition|failure|internalValue/);
  });

  test("/docs/json declares bodies that are not JSON", () => {
    const upload = documented({ method: "PUT", path: "/api/uploads/:token" });
    const path = "/api/v1/bots/:botId/results";
    const exported = documented({ method: "GET", path: `${path}/export` });
    const file = documented({ method: "GET", path: `${path}/:resultId/files/:fileName` });
    const bytes = { schema: { type: "string", format: "binary" } };

    expect(valueAt(upload, "requestBody")).toEqual({ required: true, content: { "*/*": bytes } });
    expect(valueAt(exported, "responses.200.content.text/csv.schema")).toEqual({ type: "string" });
    expect(valueAt(file, "responses.200.content")).toEqual({ "application/octet-stream": bytes });
  });

  test("/docs/json contains examples that match their schemas", () => {
    for (const { method, path, body, bodyExample, answer, answerExample } of operations) {
      const problems = [...checker(answer)().Errors(answerExample)];
      if (body && bodyExample !== undefined) problems.push(...checker(body)().Errors(bodyExample));
      expect({ operation: `${method} ${path}`, problems }).toEqual({ operation: `${method} ${path}`, problems: [] });
    }
  });
});

describe("/", () => {
  const config = { PUBLIC_URL: "https://bots.example.com", CHAT_URL: "https://chat.example.com" };
  const ask = (target: TestApi, host: string, method = "GET") =>
    target.handle(new Request("http://localhost/", { method, headers: { Host: host } }));

  test.each(["GET", "HEAD"])("/ redirects %s to the documentation if the root has no bot", async (method) => {
    const answer = await ask(api, "localhost:3000", method);

    expect(answer.status).toBe(302);
    expect(answer.headers.get("location")).toBe("/docs");
    expect(await answer.text()).toBe("");
  });

  test("/ redirects to the documentation on the management host", async () => {
    const split = await createTestApi({ config });

    expect((await ask(split, "bots.example.com")).headers.get("location")).toBe("/docs");
    expect((await ask(split, "chat.example.com")).status).toBe(404);
    await split.close();
  });

  test("/ returns 404 for a POST if the root has no bot", async () => {
    expect((await ask(api, "localhost:3000", "POST")).status).toBe(404);
  });
});

describe("/docs", () => {
  test("/docs loads all its files from the service", async () => {
    const page = await load("/docs");
    const html = await page.text();
    expect(page.headers.get("content-type")).toBe("text/html; charset=utf-8");
    const files = [...html.matchAll(/(?:src|href)="([^"]*)"/g)].map(([, address]) => address ?? "");
    expect(files.length).toBe(4);
    for (const address of files) {
      expect(address).toStartWith("/assets/");
      const file = await load(address);
      expect(file.status).toBe(200);
      expect((await file.bytes()).length).toBeGreaterThan(100);
    }
    expect(html).not.toMatch(/https?:|\/\/[a-z]/);
  });

  test("the policy of /docs allows no other hosts and no framing", async () => {
    const policy = (await load("/docs")).headers.get("content-security-policy") ?? "";
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("script-src 'self';");
    expect(policy).toContain("connect-src 'self';");
    expect(policy).toContain("frame-ancestors 'none'");
  });

  test("/docs can call a separate chat host for the chat operations", async () => {
    const config = { PUBLIC_URL: "https://bots.example.com", CHAT_URL: "https://chat.example.com/" };
    const split = await createTestApi({ config });
    const policy = (await load("/docs", split)).headers.get("content-security-policy") ?? "";
    expect(policy).toContain("connect-src 'self' https://chat.example.com;");
    const text = await (await load("/docs/json", split)).text();
    expect(text).toContain('"servers":[{"url":"https://chat.example.com","description":"The chat endpoints');
    await split.close();
  });
});
