import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { resultValues } from "../../../src/management/insight/result-values.job.ts";
import { readHistories } from "../../../src/management/results/variable-names.ts";
import { createTestApi, type TestApi, type TestUser } from "../../support/api.ts";
import { idOf } from "../../support/builder-ids.ts";
import { asks, flowOf, publish, say, start } from "../../support/chat.ts";
import { putResult } from "../../support/results.ts";
import { createThreads, type Threads } from "../../support/threads.ts";

let api: TestApi;
let threads: Threads;
let owner: TestUser;
let workspaceId: string;

beforeAll(async () => {
  threads = createThreads({ count: 1 });
  api = await createTestApi({ threads });
  owner = await api.makeUser();
});
afterAll(async () => {
  await api.close();
  await threads.close();
});

const [x, y] = [idOf("x"), idOf("y")];
type Named = Readonly<Record<string, string>>;
const variablesOf = (names: Named) => Object.entries(names).map(([id, name]) => ({ id, name }));

/**
 * Returns a flow that asks for each of the variables, and then for a value that no variable stores, so that the chat
 * stays open.
 */
const flowWith = (names: Named, ids = Object.keys(names)) => ({
  ...flowOf([
    ...ids.map((variableId) => asks("text input", { variableId }, { id: idOf(`asks ${variableId}`) })),
    asks("text input", {}, { id: idOf("last") }),
  ]),
  variables: variablesOf(names),
  settings: { general: { isGoBackEnabled: true } },
});

async function makeBot(flow: object): Promise<{ botId: string; publicId: string }> {
  workspaceId = await api.makeWorkspace(owner);
  return publish(api.client, { token: owner.token, workspaceId }, flow);
}

async function publishAs(botId: string, flow: object): Promise<void> {
  await saveAs(botId, flow);
  await api.client.post(`/api/v1/bots/${botId}/publish`, { token: owner.token, body: { force: true } });
}

async function saveAs(botId: string, flow: object): Promise<void> {
  const options = { token: owner.token, body: { bot: flow, overwrite: true } };
  expect((await api.client.patch(`/api/v1/bots/${botId}`, options)).status).toBe(200);
}

async function chat(publicId: string, ...words: string[]): Promise<{ resultId: string; sessionId: string }> {
  const started = await start(api.client, publicId);
  const sessionId = started.text("sessionId");
  for (const word of words) await say(api.client, sessionId, word);
  return { resultId: started.text("resultId"), sessionId };
}

/** Imports a result of another service with the value, or changes the result. Returns the id in Parley. */
async function bring(botId: string, { id = "brought", name, value }: { id?: string; name: string; value: string }) {
  const variables = [{ id: x, name, value }];
  const result = { ...{ id, createdAt: "2024-05-06T07:08:09.123Z", hasStarted: true, isCompleted: false }, variables };
  const body = { source: "https://elsewhere.example", update: true, results: [{ ...result, answers: [] }] };
  const brought = await api.client.post(`/api/v1/bots/${botId}/results/import`, { token: owner.token, body });
  expect(Number(brought.at("added")) + Number(brought.at("changed"))).toBe(1);
  const [resultId] = await left(botId);
  return String(resultId);
}

/** Creates the state that an older node leaves: results are indexed without their answers. */
async function forgetAnswers(): Promise<void> {
  await api.deps.sql`update result_walks set answers_from = '00000000-0000-0000-0000-000000000000'`;
}

async function readValues(): Promise<void> {
  await api.deps.sql`update results_to_read set next_at = clock()`;
  for (const task of resultValues(api.deps.sql)) while ((await task.removeSome()) > 0);
}

async function found(botId: string, query: Named): Promise<unknown[]> {
  const all = { timeFilter: "allTime", withTotals: "true", ...query };
  const page = await api.client.get(`/api/v1/bots/${botId}/results`, { token: owner.token, query: all });
  const ids = page.list("results").map((result) => Object(result).id);
  expect(page.at("totals.results")).toBe(ids.length);
  const address = `http://localhost/api/v1/bots/${botId}/results/export?${new URLSearchParams({ format: "csv", allowPartial: "true", ...query })}`;
  const headers = { Authorization: `Bearer ${owner.token}` };
  const exported = await (await api.handle(new Request(address, { headers }))).text();
  for (const id of ids) expect(exported).toContain(id);
  expect(exported.trimEnd().split("\r\n")).toHaveLength(1 + ids.length);
  return ids.toSorted();
}

async function person(variable: string, value: string, { isDryRun = false, match = "exact" } = {}) {
  const path = `/api/v1/workspaces/${workspaceId}/person-erasures`;
  return api.client.post(path, { token: owner.token, body: { variable, value, isDryRun, match } });
}

async function left(botId: string): Promise<unknown[]> {
  const rows = await api.deps.sql<{ id: string }[]>`select id from results where bot_id = ${botId} and not is_archived`;
  return rows.map(({ id }) => id);
}

test("the variable names of all versions of a bot are found", async () => {
  const { botId } = await makeBot(flowWith({ [x]: "Email" }));
  const count = 5_100;
  await api.deps.sql`
    with flow_rows as (
      insert into flows (bot_id, hash, content, facts)
      select
        ${botId}::uuid,
        sha256(number::text::bytea),
        json_build_object('variables', json_build_array(json_build_object('id', ${x}::text, 'name', 'Name ' || number))),
        '{}'
      from generate_series(1, ${count}::integer) as number
    )
    insert into publications (bot_id, number, id, flow_hash)
    select ${botId}::uuid, number + 1, gen_random_uuid(), sha256(number::text::bytea)
    from generate_series(1, ${count}::integer) as number`;
  const histories = await readHistories(api.deps.sql, [botId]);
  expect(histories.get(botId)?.all).toHaveLength(count + 1);
});

describe("a renamed variable", () => {
  test.each([
    ["new", "Mail"],
    ["old", "Email"],
  ])(
    "the %s name of a renamed variable finds older and newer results in lists, totals, exports, previews and erasures",
    async (_, name) => {
      const { botId, publicId } = await makeBot(flowWith({ [x]: "Email" }));
      const old = await chat(publicId, "ada");
      await readValues();
      await publishAs(botId, flowWith({ [x]: "Mail" }));
      const fresh = await chat(publicId, "ada");
      await readValues();
      const unread = await chat(publicId, "ada");
      await chat(publicId, "ben");

      const read = [old.resultId, fresh.resultId].toSorted();
      expect(await found(botId, { [`variables.${name}`]: "ada" })).toEqual(read);
      expect(await found(botId, { [`variablePrefixes.${name}`]: "ad" })).toEqual(read);
      expect(await found(botId, { [`variables.${name}`]: "ada", "variablePrefixes.Mail": "a" })).toEqual(read);
      expect(await found(botId, { "variables.Nonsense": "ada" })).toEqual([]);

      const counted = await person(name, "ADA", { isDryRun: true, match: "folded" });
      expect(counted.at("personErasure.results")).toBe(3);
      expect(counted.at("spellings")).toEqual([{ value: "ada", results: 3 }]);
      expect(counted.at("variables")).toEqual([{ botId, id: x, names: ["Mail", "Email"] }]);
      expect(counted.at("onlyInAnswers")).toBe(0);
      const erased = await person(name, "ada");
      expect(erased.at("personErasure")).toMatchObject({ outcome: "erased", isComplete: true, results: 3 });
      expect(erased.body).not.toHaveProperty("variables");
      expect(await left(botId)).not.toContain(unread.resultId);
      expect(await left(botId)).toHaveLength(1);
    },
  );

  test("results of a copied bot are found by the old and new name of a variable", async () => {
    const { botId, publicId } = await makeBot(flowWith({ [x]: "Email" }));
    await chat(publicId, "ada");
    await publishAs(botId, flowWith({ [x]: "Mail" }));
    await chat(publicId, "ada");
    const body = { withResults: true };
    const copy = await api.client.post(`/api/v1/bots/${botId}/duplicate`, { token: owner.token, body });
    const copyId = copy.text("bot.id");
    await readValues();

    expect(await found(copyId, { "variables.Mail": "ada" })).toHaveLength(2);
    expect((await person("Email", "ada")).at("personErasure.results")).toBe(4);
    expect([await left(botId), await left(copyId)]).toEqual([[], []]);
  });
});

describe("two variables of one name", () => {
  test("two variables with the same name are both searched", async () => {
    const { botId, publicId } = await makeBot(flowWith({ [x]: "Email" }));
    const old = await chat(publicId, "ada");
    await publishAs(botId, flowWith({ [y]: "Email" }));
    const fresh = await chat(publicId, "ada");
    await readValues();

    expect(await found(botId, { "variables.Email": "ada" })).toEqual([old.resultId, fresh.resultId].toSorted());
    const counted = await person("Email", "ada", { isDryRun: true });
    expect(counted.at("variables")).toEqual([
      { botId, id: y, names: ["Email"] },
      { botId, id: x, names: ["Email"] },
    ]);
    expect((await person("Email", "ada")).at("personErasure.results")).toBe(2);
  });

  test("after two variables swap names, a filter uses their current names", async () => {
    const { botId, publicId } = await makeBot(flowWith({ [x]: "Email", [y]: "Phone" }));
    const old = await chat(publicId, "ada", "170");
    await publishAs(botId, flowWith({ [x]: "Phone", [y]: "Email" }));
    const fresh = await chat(publicId, "171", "eve");
    await readValues();

    expect(await found(botId, { "variables.Email": "170" })).toEqual([old.resultId]);
    expect(await found(botId, { "variables.Email": "eve" })).toEqual([fresh.resultId]);
    expect(await found(botId, { "variables.Email": "ada" })).toEqual([]);
    expect(await found(botId, { "variables.Phone": "ada" })).toEqual([old.resultId]);
    expect((await person("Email", "ada")).at("personErasure.results")).toBe(1);
  });
});

describe("a name that exists only in results", () => {
  test("results are found by a variable name that exists only in results", async () => {
    const { botId } = await makeBot(flowWith({ [x]: "Email", [y]: "Phone" }, [y]));
    const { sql } = api.deps;
    const put = (id: string, name: string, value: string) =>
      putResult(sql, botId, { variables: [{ id, name, value }] });
    const [brought, other] = [await put(x, "E-mail of before", "ada"), await put(idOf("z"), "Elsewhere", "ada")];
    await put(y, "Number of before", "ada");
    await readValues();

    expect(await found(botId, { "variables.Email": "ada" })).toEqual([brought.resultId]);
    expect(await found(botId, { "variables.E-mail of before": "ada" })).toEqual([brought.resultId]);
    expect((await person("Elsewhere", "ada")).at("personErasure.results")).toBe(1);
    expect(await left(botId)).not.toContain(other.resultId);
    expect((await person("Email", "ada")).at("personErasure.results")).toBe(1);
    expect(await left(botId)).toHaveLength(1);
  });

  test.each([
    ["is not indexed yet", async () => {}],
    [
      "is in the bin",
      async (botId: string, resultId: string) => {
        await api.client.delete(`/api/v1/bots/${botId}/results/${resultId}`, { token: owner.token });
      },
    ],
    ["was imported before older results were indexed", () => forgetAnswers()],
  ])("a name that exists only in results is recognised even if its only result %s", async (_, then) => {
    const { botId } = await makeBot(flowWith({ [x]: "Email" }));
    await saveAs(botId, flowWith({ [x]: "Draft alone" }));
    const resultId = await bring(botId, { name: "Draft alone", value: "ada" });
    await saveAs(botId, flowWith({ [x]: "Email" }));
    await then(botId, resultId);

    const counted = await person("Draft alone", "ADA", { isDryRun: true, match: "folded" });
    expect(counted.at("personErasure.results")).toBe(1);
    expect((await person("Draft alone", "ada")).at("personErasure")).toMatchObject({ outcome: "erased", results: 1 });
    expect(await left(botId)).toEqual([]);
  });

  test("an erasure recognises a variable name that exists only in unindexed results", async () => {
    const { botId } = await makeBot(flowWith({ [x]: "Email" }));
    await bring(botId, { name: "Before", value: "ada" });
    await readValues();
    await bring(botId, { name: "Since", value: "ada" });

    expect((await person("Since", "ada")).at("personErasure")).toMatchObject({ outcome: "erased", results: 1 });
  });

  test("a variable name that exists only in results is rejected in other workspaces", async () => {
    const { botId } = await makeBot(flowWith({ [x]: "Email" }));
    const elsewhere = workspaceId;
    await bring(botId, { name: "Elsewhere alone", value: "ada" });
    await makeBot(flowWith({ [x]: "Email" }));
    const refused = "is not the name of a variable of this workspace's bots";

    expect((await person("Elsewhere alone", "ada")).at("data.issues.0.message")).toBe(refused);
    workspaceId = elsewhere;
    expect((await person("Elsewhere alone", "ada")).at("personErasure.results")).toBe(1);
    expect((await person("Elsewhere alone", "ada")).at("data.issues.0.message")).toBe(refused);
  });

  test("an erasure spares bots in which the variable has another name", async () => {
    const { botId } = await makeBot(flowWith({ [x]: "Email" }, []));
    const score = flowWith({ [x]: "Score" }, []);
    const other = await publish(api.client, { token: owner.token, workspaceId }, score);
    const put = (of: string, name: string) => putResult(api.deps.sql, of, { variables: [{ id: x, name, value: "9" }] });
    await put(botId, "Email");
    const { resultId } = await put(other.botId, "Score");
    await readValues();

    expect((await person("Email", "9")).at("personErasure.results")).toBe(1);
    expect(await left(other.botId)).toEqual([resultId]);
  });
});

describe("answers", () => {
  test("answers are found by their text", async () => {
    const set = {
      id: idOf("set"),
      type: "Set variable",
      options: { variableId: x, type: "Custom", expressionToEvaluate: "ada" },
    };
    const flow = flowOf([asks("text input", { variableId: x }), set, asks("text input", {}, { id: idOf("last") })]);
    const { botId, publicId } = await makeBot({ ...flow, variables: variablesOf({ [x]: "Email" }) });
    const { resultId } = await chat(publicId, " ADA lovelace");
    await readValues();

    for (const word of [" ADA lovelace", "ada"]) {
      expect(await found(botId, { "variables.Email": word })).toEqual([resultId]);
    }
    expect(await found(botId, { "variablePrefixes.Email": " ADA" })).toEqual([resultId]);
    const counted = await person("Email", "Ada Lovelace", { isDryRun: true, match: "folded" });
    expect([counted.at("onlyInAnswers"), counted.at("spellings.0.value")]).toEqual([1, " ADA lovelace"]);
    expect((await person("Email", "ada lovelace", { match: "folded" })).at("personErasure.results")).toBe(1);
  });

  test("answers to variables that are not stored in results are found", async () => {
    const secret = [{ id: x, name: "Email", isSessionVariable: true }];
    const { botId, publicId } = await makeBot({ ...flowWith({ [x]: "Email" }), variables: secret });
    const started = await chat(publicId);
    await readValues();
    await say(api.client, started.sessionId, "ada");
    await readValues();

    expect(await found(botId, { "variables.Email": "ada" })).toEqual([started.resultId]);
    expect((await person("Email", "ada")).at("personErasure.results")).toBe(1);
  });

  test("an undone answer is found by an erasure but not by a list filter", async () => {
    const { botId, publicId } = await makeBot(flowWith({ [x]: "Email" }));
    const takenBack = async () => {
      const { resultId, sessionId } = await chat(publicId, "ada");
      const back = await api.client.post(`/api/v1/sessions/${sessionId}/goBack`, { body: {} });
      expect(back.status).toBe(200);
      await say(api.client, sessionId, "eve");
      return resultId;
    };
    const read = await takenBack();
    await readValues();
    expect(await found(botId, { "variables.Email": "ada" })).toEqual([]);
    expect(await found(botId, { "variables.Email": "eve" })).toEqual([read]);
    await takenBack();

    const counted = await person("Email", "ada", { isDryRun: true });
    expect([counted.at("personErasure.results"), counted.at("onlyInAnswers")]).toEqual([2, 2]);
    expect((await person("Email", "ada")).at("personErasure")).toMatchObject({ results: 2, isComplete: true });
    expect(await left(botId)).toEqual([]);
  });

  test("answers add no row to the index if their variable has the same value", async () => {
    const { botId, publicId } = await makeBot(flowWith({ [x]: "Email" }));
    await chat(publicId, "ada", "not kept");
    await readValues();

    const rows = await api.deps.sql`select name, value from result_values where bot_id = ${botId}`;
    expect([...rows]).toEqual([{ name: "Email", value: "ada" }]);
  });

  test("answers that an earlier release stored are found", async () => {
    const { botId, publicId } = await makeBot(flowWith({ [x]: "Email" }));
    const { sql } = api.deps;
    const old = async () => {
      const { resultId } = await chat(publicId, "ada", "not kept");
      await sql`update results set variables = '[]' where id = ${resultId}`;
      return resultId;
    };
    const [first, binned] = [await old(), await old()];
    await readValues();
    await sql`delete from result_values`;
    await sql`delete from results_to_read`;
    await forgetAnswers();
    await api.client.delete(`/api/v1/bots/${botId}/results/${binned}`, { token: owner.token });

    expect((await person("Email", "ada", { isDryRun: true })).at("personErasure.results")).toBe(2);
    await readValues();
    expect(await found(botId, { "variables.Email": "ada" })).toEqual([first]);
    expect([...(await sql`select from result_walks where answers_from is not null`)]).toEqual([]);
    expect((await person("Email", "ada")).at("personErasure.results")).toBe(2);
  });
});
