import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import type { ServerResponse } from "node:http";
import { secretNumber, secretToken } from "../../../src/core/interpreter/language/secret-tokens.ts";
import { limits } from "../../../src/limits/index.ts";
import { createSecrets, secretPlace } from "../../../src/platform/secrets.ts";
import { createTestApi, type TestApi, type TestUser } from "../../support/api.ts";
import { idOf } from "../../support/builder-ids.ts";
import { asks, flowOf, publish, say, says, start } from "../../support/chat.ts";
import { testKey } from "../../support/events.ts";
import { type OutsideRequest, type OutsideServer, outsideFetch, startOutside } from "../../support/outside.ts";
import { createThreads, type Threads } from "../../support/threads.ts";

let api: TestApi;
let threads: Threads;
let owner: TestUser;
let workspaceId: string;
let server: OutsideServer;
let answer: (request: OutsideRequest, response: ServerResponse) => void;

beforeAll(async () => {
  threads = createThreads({ count: 1 });
  api = await createTestApi({ threads, safeFetch: outsideFetch(), config: { ENCRYPTION_KEY: testKey } });
  owner = await api.makeUser();
  workspaceId = await api.makeWorkspace(owner);
  server = await startOutside((request, response) => answer(request, response));
  await put("KEY", { value: planted });
  await put("ACCOUNT", { value: "ana:pass word/ü" });
  await put("QUOTED", { value: 'say "no" & more' });
  await put("HERE_ONLY", { value: "only for one host", hosts: ["Outside.example"] });
  await put("BROKEN", { value: "two\nlines" });
  await put("HOOK", { value: server.url("/hook?token=1", "hooks.example") });
});
beforeEach(() => {
  answer = (_, response) => response.end('{"word":"ok"}');
});
afterAll(async () => {
  await server.close();
  await threads.close();
  await api.close();
});

const planted = "planted-Value_0123456789";
const at = (name = "") => `/api/v1/workspaces/${workspaceId}/secrets${name && `/${name}`}`;
const put = (name: string, body: object) => api.client.put(at(name), { token: owner.token, body });
const last = (): OutsideRequest => {
  const request = server.requests.at(-1);
  if (!request) throw new Error("Nothing was called");
  return request;
};

/** Returns a block that calls the URL, and stores `data.word` or else `data.message` as the visitor's name. */
function calls(webhook: object, options: object = {}) {
  return {
    id: "call",
    type: "Webhook",
    options: {
      webhook: { url: server.url(), ...webhook },
      isCustomBody: true,
      responseVariableMapping: [{ id: "m1", variableId: idOf("Name"), bodyPath: "data.word ?? data.message" }],
      ...options,
    },
  };
}
const header = (key: string, value: string) => ({ headers: [{ id: "h", key, value }] });
const script = (content: string) => ({ id: "script", type: "Code", options: { isExecutedOnClient: false, content } });

async function run(...blocks: readonly object[]) {
  const { botId, publicId } = await publish(api.client, { token: owner.token, workspaceId }, flowOf(blocks));
  const started = await start(api.client, publicId);
  return { botId, started, said: started.at("messages.*.content.plainText") };
}

async function logsOf({ botId, started }: { botId: string; started: Awaited<ReturnType<typeof start>> }) {
  const path = `/api/v1/bots/${botId}/results/${started.text("resultId")}/logs`;
  const answered = await api.client.get(path, { token: owner.token });
  return JSON.stringify(answered.at("logs"));
}

describe("storing secrets", () => {
  test("the secrets API shows every field of a secret except its value", async () => {
    const made = await put("SHOWN", { value: planted, hosts: ["A.example", "a.example"], note: "Ours" });

    const secret = {
      workspaceId,
      name: "SHOWN",
      hosts: ["a.example"],
      note: "Ours",
      isReadable: true,
      lastUsedAt: null,
      createdAt: expect.any(String),
      updatedAt: expect.any(String),
    };
    expect(made.body).toEqual({ secret });
    expect((await api.client.get(at("SHOWN"), { token: owner.token })).body).toEqual({ secret });
    const list = await api.client.get(at(), { token: owner.token });
    expect(list.at("secrets.0")).toEqual(secret);
  });

  test("the note and hosts of a secret can be changed without sending its value", async () => {
    await put("CHANGED", { value: "the first value", hosts: ["a.example", "b.example"] });
    expect((await put("CHANGED", { hosts: ["a.example"], note: "Narrower" })).at("secret.note")).toBe("Narrower");
    expect((await put("CHANGED", { value: "the second value" })).at("secret.hosts")).toBeNull();

    expect((await api.client.delete(at("CHANGED"), { token: owner.token })).at("secret.name")).toBe("CHANGED");
    expect((await api.client.get(at("CHANGED"), { token: owner.token })).at("code")).toBe("secret.not_found");
    expect((await api.client.delete(at("CHANGED"), { token: owner.token })).at("code")).toBe("secret.not_found");
  });

  test("the secrets API requires the value again when the hosts are extended", async () => {
    await put("BOUND", { value: planted, hosts: ["a.example"] });

    for (const body of [{ hosts: ["a.example", "collector.example"] }, { hosts: null }, {}]) {
      const refused = await put("BOUND", body);
      expect(refused.at("data.issues.0.path")).toBe("value");
      expect(refused.text("data.issues.0.message")).toContain("must be sent again");
    }
  });

  test.each<[string, string, object]>([
    ["a secret without a value", "FRESH", { note: "Nothing" }],
    ["an empty value", "FRESH", { value: "" }],
    ["a value that is too long", "FRESH", { value: "x".repeat(limits.secrets.characters + 1) }],
    ["an address in place of a host", "FRESH", { value: planted, hosts: ["https://a.example/"] }],
    ["an empty list of hosts", "FRESH", { value: planted, hosts: [] }],
  ])("the secrets API rejects %s", async (_, name, body) => {
    expect((await put(name, body)).at("code")).toBe("request.invalid");
  });

  test("the secrets API rejects an invalid name and a secret above the limit", async () => {
    for (const name of ["lower", "A%20B", "9A", "X".repeat(65)]) {
      const refused = await put(name, { value: planted });
      expect([refused.status, refused.text("message")]).toEqual([
        400,
        "Input validation failed: name must be a capital letter and up to 63 capital letters, digits and underscores, such as CRM_KEY.",
      ]);
    }
    const full = await api.makeWorkspace(owner);
    await api.deps.sql`
      insert into secrets (id, workspace_id, name, sealed)
      select new_id(), ${full}, 'NAME_' || number, ''::bytea
      from generate_series(1, ${limits.secrets.perWorkspace}) number`;
    const path = `/api/v1/workspaces/${full}/secrets`;
    const more = await api.client.put(`${path}/MORE`, { token: owner.token, body: { value: planted } });
    expect(more.at("code")).toBe("secret.too_many");
    const known = await api.client.put(`${path}/NAME_1`, { token: owner.token, body: { value: planted } });
    expect(known.status).toBe(200);
  });
});

describe("a request that references a secret", () => {
  test("a secret is encoded for its place in a request", async () => {
    await run(
      calls({
        method: "POST",
        url: server.url("/{{secret.QUOTED}}"),
        queryParams: [{ id: "q", key: "k", value: "{{secret.QUOTED}}" }],
        headers: [{ id: "h", key: "X-Key", value: "{{secret.KEY}}ABC" }],
        body: '{ "word": "{{secret.QUOTED}}" }',
      }),
    );

    const encoded = encodeURIComponent('say "no" & more');
    expect(last().path).toBe(`/${encoded}?k=${encoded}`);
    expect(last().headers["x-key"]).toBe(`${planted}ABC`);
    expect(JSON.parse(last().body)).toEqual({ word: 'say "no" & more' });
    const [used] = await api.deps.sql`
      select last_used_at > clock() - interval '2 minutes' as recently
      from secrets
      where name = 'KEY'`;
    expect(used?.["recently"]).toBe(true);
  });

  test("a secret can be part of a form, a plain text or Basic authentication", async () => {
    await run(
      calls({ ...header("Content-Type", "application/x-www-form-urlencoded"), body: '{"a":"{{secret.QUOTED}}"}' }),
    );
    expect(new URLSearchParams(last().body).get("a")).toBe('say "no" & more');

    await run(calls({ ...header("Content-Type", "text/plain"), body: "key={{secret.QUOTED}}" }));
    expect(last().body).toBe('key=say "no" & more');

    await run(calls({ ...header("Authorization", "Basic {{secret.ACCOUNT}}"), body: "x" }));
    expect(last().headers["authorization"]).toBe(`Basic ${Buffer.from("ana:pass word/ü").toString("base64")}`);

    await run(calls({ url: "{{secret.HOOK}}", body: "x" }));
    expect([last().path, last().headers["host"]]).toEqual(["/hook?token=1", `hooks.example:${server.port}`]);
  });

  test("a request from a script can contain a secret", async () => {
    answer = ({ headers }, response) => response.end(JSON.stringify({ word: `told ${headers["x-key"]}` }));
    const url = server.url("/script");
    const { said } = await run(
      script(`
        const answer = await fetch("${url}", { method: "POST", headers: { "X-Key": {{secret.KEY}} }, body: "{{secret.KEY}}" });
        setVariable("Name", JSON.parse(answer).word + " " + {{secret.KEY}}.includes("planted"));`),
      says("{{Name}}"),
    );

    expect(last().headers["x-key"]).toBe(planted);
    expect(last().body).toBe(planted);
    expect(said).toEqual(["told ••• false"]);
  });

  test("a request with a secret hides the value in the response and in the log", async () => {
    answer = ({ headers, path, body }, response) =>
      response.end(JSON.stringify({ word: `${headers["authorization"]} ${headers["x-key"]} ${path} ${body}` }));
    const { started, botId, said } = await run(
      calls({
        url: server.url("/?k={{secret.KEY}}&q={{secret.QUOTED}}"),
        headers: [
          { id: "h1", key: "X-Key", value: "Bearer {{secret.KEY}}" },
          { id: "h2", key: "Authorization", value: "Basic {{secret.ACCOUNT}}" },
        ],
        body: '{ "k": "{{secret.KEY}}", "q": "{{secret.QUOTED}}" }',
      }),
      says("{{Name}}"),
    );

    expect(said).toEqual(['Basic ••• Bearer ••• /?k=•••&q=••• { "k": "•••", "q": "•••" }']);
    const logs = await logsOf({ botId, started });
    expect(logs).toContain("{{secret.KEY}}");
    expect(logs).not.toContain(planted);
  });

  test.each<[string, object, string]>([
    ["does not exist", header("X-Key", "{{secret.NOBODYS}}"), 'There is no secret "NOBODYS"'],
    [
      "is for other hosts",
      { url: "http://other.example/{{secret.HERE_ONLY}}" },
      'The secret "HERE_ONLY" may not be sent to this host',
    ],
    ["has a line break in a header", header("X-Key", "{{secret.BROKEN}}"), "A secret with a line break"],
  ])("a request with a secret is not sent if the secret %s, and the flow continues", async (_, webhook, reason) => {
    const before = server.requests.length;
    const { said, ...chat } = await run(calls({ ...webhook, body: "x" }), says("{{Name}}"));

    expect(said).toEqual([expect.stringContaining(`Security validation failed: ${reason}`)]);
    expect(await logsOf(chat)).toContain(reason.split('"')[0] ?? reason);
    expect(server.requests.length).toBe(before);
  });

  test("a request with a secret is sent to a host for which the secret is allowed", async () => {
    await run(calls({ ...header("X-Key", "{{secret.HERE_ONLY}}"), body: "x" }));
    expect(last().headers["x-key"]).toBe("only for one host");
  });

  test("a request with a secret fails if the secret cannot be decrypted", async () => {
    await put("SEALED", { value: planted });
    const [row] = await api.deps.sql`select id from secrets where name = 'SEALED'`;
    const strange = createSecrets({ current: "a key of somebody else, of 32 characters" });
    await api.deps.sql`
      update secrets
      set sealed = ${await strange.seal(planted, secretPlace(row?.["id"]))}
      where name = 'SEALED'`;

    expect((await api.client.get(at("SEALED"), { token: owner.token })).at("secret.isReadable")).toBe(false);
    const { said } = await run(calls({ ...header("X-Key", "{{secret.SEALED}}"), body: "x" }), says("{{Name}}"));
    expect(said).toEqual(['Security validation failed: The secret "SEALED" cannot be decrypted']);
  });

  test("a redirect never sends a secret to another origin", async () => {
    answer = ({ path }, response) => {
      const leads = path === "/away" || path === "/away-with-body";
      const status = path === "/away-with-body" ? 307 : 302;
      if (leads) response.writeHead(status, { Location: server.url("/there", "elsewhere.example") }).end();
      else response.end('{"word":"arrived"}');
    };
    const headers = [
      { id: "h1", key: "X-Key", value: "{{secret.KEY}}" },
      { id: "h2", key: "User-Agent", value: "{{secret.KEY}}" },
    ];
    const away = await run(calls({ url: server.url("/away"), method: "GET", headers }), says("{{Name}}"));
    expect(away.said).toEqual(["arrived"]);
    expect(JSON.stringify(last())).not.toContain(planted);

    const body = await run(calls({ url: server.url("/away-with-body"), body: "{{secret.KEY}}" }), says("{{Name}}"));
    expect(body.said).toEqual(["Security validation failed: A redirect would have sent a secret to another origin"]);
    expect(last().path).toBe("/away-with-body");
  });
});

describe("a secret outside a server request", () => {
  test("a secret outside a server request is empty and is noted once in the log", async () => {
    const { said, ...chat } = await run(
      {
        id: "set",
        type: "Set variable",
        options: { variableId: idOf("Name"), expressionToEvaluate: "{{secret.KEY}}" },
      },
      says("[{{secret.KEY}}{{Name}}]"),
      { id: "client", type: "Code", options: { content: "alert('{{secret.KEY}}')" } },
    );

    expect(said).toEqual(["[]"]);
    expect(JSON.stringify(chat.started.at("clientSideActions"))).toContain("alert('')");
    const logs = await logsOf(chat);
    expect(logs.match(/A secret is empty here/g)).toHaveLength(1);
  });

  test("a secret is empty in a request that the visitor's client sends", async () => {
    const { started } = await run(
      calls({ ...header("X-Key", "a{{secret.KEY}}b"), body: "x" }, { isExecutedOnClient: true }),
    );
    expect(JSON.stringify(started.at("clientSideActions"))).toContain('"X-Key":"ab"');
  });

  test("a visitor cannot read a secret by sending its name or its placeholder", async () => {
    const flow = [
      asks("text input", { variableId: idOf("Name") }),
      calls({ method: "POST", body: '{ "word": "{{Name}}" }', ...header("X-Said", "{{Name}}") }),
      says("{{Name}}"),
      asks("email input"),
    ];
    for (const words of ["{{secret.KEY}}", secretToken(secretNumber("0".repeat(32)), "KEY"), "parley_secret_x_3_KEY"]) {
      const { started } = await run(...flow);
      await say(api.client, started.text("sessionId"), words);
      expect(last().headers["x-said"]).toBe(words);
      expect(JSON.parse(last().body)).toEqual({ word: words });
    }
  });

  test("a variable with the name of a secret's placeholder takes precedence", async () => {
    const flow = {
      ...flowOf([says("{{secret.KEY}}")]),
      variables: [{ id: idOf("v"), name: "secret.KEY", value: "mine" }],
    };
    const { publicId } = await publish(api.client, { token: owner.token, workspaceId }, flow);
    expect((await start(api.client, publicId)).at("messages.*.content.plainText")).toEqual(["mine"]);
  });

  test("a secret is not available to another workspace", async () => {
    const flow = flowOf([calls({ ...header("X-Key", "{{secret.KEY}}"), body: "x" }), says("{{Name}}")]);
    const before = server.requests.length;
    await api.client.post(`/api/v1/bots/${workspaceId}/preview/startChat`, { body: { bot: flow } });
    const elsewhere = await publish(
      api.client,
      { token: owner.token, workspaceId: await api.makeWorkspace(owner) },
      flow,
    );
    const started = await start(api.client, elsewhere.publicId);

    expect(started.at("messages.*.content.plainText")).toEqual([
      'Security validation failed: There is no secret "KEY"',
    ]);
    expect(server.requests.length).toBe(before);
  });
});

test("no table stores the plain value of a secret", async () => {
  const { sql } = api.deps;
  const tables = await sql<{ name: string }[]>`
    select tablename as name
    from pg_tables
    where schemaname = 'public'`;
  for (const { name } of tables) {
    const rows = await sql`
      select 1
      from ${sql(name)} as stored
      where row_to_json(stored)::text like ${`%${planted}%`}`;
    expect([name, rows.length]).toEqual([name, 0]);
  }
});
