import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { limits } from "../../../src/limits/index.ts";
import { dayReader } from "../../../src/management/results/summary/days.ts";
import { readEvent } from "../../../src/web/app/api/stream.ts";
import { createTestApi, type TestApi, type TestUser } from "../../support/api.ts";
import { idOf } from "../../support/builder-ids.ts";
import { asks, flowOf, publish } from "../../support/chat.ts";
import { longTest } from "../../support/long-test.ts";
import { putResult, type TestResult } from "../../support/results.ts";

let api: TestApi;
let owner: TestUser;
let workspaceId: string;

beforeAll(async () => {
  api = await createTestApi();
  owner = await api.makeUser();
  workspaceId = await api.makeWorkspace(owner);
});
afterAll(() => api.close());

test.each([
  ["dd/MM/yyyy", "31/12/2026", "2026-12-31"],
  ["dd/MM/yyyy HH:mm", "01/02/2026 09:30", "2026-02-01"],
  ["MM/dd/yyyy", "02/01/2026 to 02/05/2026", "2026-02-01"],
  ["MMMM d, yyyy", "January 2, 2024", "2024-01-02"],
  ["EEEE, do 'of' MMM yy", "Friday, 2nd of Jan 26", "2026-01-02"],
  ["yyyy-MM-dd", "31/12/2026", undefined],
  ["dd/MM/yyyy", "31/02/2026", undefined],
  ["MMMM yyyy", "January 2024", undefined],
  ["(d.M.yyyy", "(2.1.2024", "2024-01-02"],
] satisfies [string, string, string | undefined][])(
  "the pattern %s gives the expected day, or no day, for the answer %s",
  (pattern, answer, day) => {
    expect(dayReader(pattern)(answer)).toBe(day);
  },
);

const items = ["Tea", "Coffee, black", "Water"].map((content, index) => ({ id: `item-${index}`, content }));
const flow = {
  ...flowOf(
    [asks("text input", { variableId: idOf("Name") }, { id: "name" })],
    [
      asks("choice input", {}, { id: "drink", items }),
      asks("choice input", { isMultipleChoice: true }, { id: "drinks", items }),
      asks("number input", {}, { id: "age" }),
      asks("rating input", { length: 10 }, { id: "score" }),
      asks("rating input", { length: 5 }, { id: "stars" }),
      asks("date input", { format: "d MMMM yyyy" }, { id: "day" }),
    ],
  ),
  variables: [
    { id: idOf("Name"), name: "Name" },
    { id: idOf("Source"), name: "Source" },
    { id: idOf("Total"), name: "Total" },
    { id: idOf("Mail"), name: "Mail" },
    { id: idOf("Secret"), name: "Secret", isSessionVariable: true },
  ],
};

const said = (answers: Readonly<Record<string, string>>, variables: Readonly<Record<string, unknown>> = {}) => ({
  ...{ hasStarted: true, createdAt: "2026-03-02T10:00:00.000Z" },
  answers: Object.entries(answers).map(([blockId, content]) => ({ blockId, content })),
  variables: Object.entries(variables).map(([name, value]) => ({ id: idOf(name), name, value })),
});

const put: readonly TestResult[] = [
  said(
    { name: "Ada", drink: "Tea", drinks: "Tea, Coffee, black", age: "7", score: "10", stars: "5", day: "2 May 2026" },
    { Source: "ad", Total: "2", Mail: "a@example.com", Secret: "x" },
  ),
  said(
    { name: "Bob", drink: "Milk", drinks: "Tea, Milk", age: "07", score: "9", stars: "1", day: "1 May 2026" },
    { Source: ["ad", "mail"], Total: "3.5", Mail: "b@example.com" },
  ),
  said({ drink: "Tea", age: "40", score: "8", day: "02/05/2026" }, { Source: "", Total: "1" }),
  said({ drink: "Water", age: "100", score: "0" }, { Source: "web" }),
  { ...said({}), hasStarted: false },
];

describe("the summary of results", () => {
  let botId: string;
  beforeAll(async () => {
    botId = (await publish(api.client, { token: owner.token, workspaceId }, flow)).botId;
    for (const result of put) await putResult(api.deps.sql, botId, result);
    // The question was asked several times. Only the last answer counts, and an undone answer does not.
    const { resultId } = await putResult(api.deps.sql, botId, {
      ...said({}),
      answers: ["Coffee, black", "Tea", "Water"].map((content) => ({ blockId: "drink", content })),
    });
    await api.deps.sql`update answers set replaced_at = clock() where result_id = ${resultId} and content = 'Water'`;
  });

  test("results are summarised by question, in the order of the flow", async () => {
    const { body } = await read(botId);
    expect(body).toEqual({
      summary: {
        results: 5,
        leftOut: { silent: 1, older: 0, isLowerBound: false },
        columns: [
          { ...question("name", "text input", "Name"), kind: "texts", answered: 2 },
          {
            ...{ ...question("drink", "choice input"), kind: "choices", answered: 5 },
            values: counted(["Tea", 3], ["Milk", 1], ["Water", 1]),
          },
          {
            ...{ ...question("drinks", "choice input"), kind: "choices", answered: 2 },
            values: counted(["Tea", 2], ["Coffee, black", 1], [null, 1]),
          },
          {
            ...{ ...question("age", "number input"), kind: "numbers", answered: 4 },
            numbers: { least: 7, most: 100, mean: 38.5, median: 23.5 },
          },
          {
            ...{ ...question("score", "rating input"), kind: "ratings", answered: 4 },
            values: counted(["0", 1], ["8", 1], ["9", 1], ["10", 1]),
            numbers: { least: 0, most: 10, mean: 6.75, median: 8.5 },
            nps: { promoters: 2, passives: 1, detractors: 1, score: 25 },
          },
          {
            ...{ ...question("stars", "rating input"), kind: "ratings", answered: 2 },
            values: counted(["1", 1], ["5", 1]),
            numbers: { least: 1, most: 5, mean: 3, median: 3 },
          },
          {
            ...{ ...question("day", "date input"), kind: "dates", answered: 3 },
            days: [
              { day: "2026-05-01", results: 1 },
              { day: "2026-05-02", results: 1 },
            ],
          },
          {
            ...{ ...variable("Source"), kind: "choices", answered: 3 },
            values: counted(["ad", 2], ["mail", 1], ["web", 1]),
          },
          {
            ...{ ...variable("Total"), kind: "numbers", answered: 3 },
            numbers: { least: 1, most: 3.5, mean: 6.5 / 3, median: 2 },
          },
          { ...variable("Mail"), kind: "texts", answered: 2 },
        ],
      },
    });
  });

  test("a summary contains only the requested columns and matching results", async () => {
    const named = await read(botId, { columns: `${idOf("Total")}, drink,gone,drink`, answer: "water" });
    expect(named.at("summary.columns.*.id")).toEqual([idOf("Total"), "drink"]);
    expect(named.at("summary.results")).toBe(1);
    expect((await read(botId, { columns: "gone" })).at("summary.columns")).toEqual([]);
    const silent = await read(botId, { hasStarted: "false" });
    expect([silent.at("summary.results"), silent.at("summary.leftOut.silent")]).toEqual([1, 0]);
    expect((await read(botId, { timeFilter: "today" })).at("summary.results")).toBe(0);
    const sourced = await read(botId, { "variables.Source": "ad" });
    expect(sourced.at("summary.isExact")).toBeBoolean();
  });

  test("an invalid or forbidden summary request is refused before a stream starts", async () => {
    const stranger = await api.makeUser();
    const headers = { Accept: "text/event-stream" };
    const path = `/api/v1/bots/${botId}/results/summary`;
    expect((await api.client.get(path, { token: stranger.token, headers })).at("code")).toBe("bot.not_found");
    expect((await api.client.get(path, { token: owner.token, headers, query: { version: "0" } })).status).toBe(400);
  });

  test("a summary is available to collaborators, but not to other GUESTs", async () => {
    const { sql } = api.deps;
    const [reader, guest] = [await api.makeUser(), await api.makeUser()];
    await sql`insert into collaborators (bot_id, user_id, type) values (${botId}, ${reader.userId}, 'READ')`;
    await sql`insert into members (workspace_id, user_id, role) values (${workspaceId}, ${guest.userId}, 'GUEST')`;
    const path = `/api/v1/bots/${botId}/results/summary`;
    expect((await api.client.get(path, { token: reader.token, query: all })).at("summary.results")).toBe(5);
    expect((await api.client.get(path, { token: guest.token, query: all })).status).toBe(404);
    await sql`insert into collaborators (bot_id, user_id, type) values (${botId}, ${guest.userId}, 'READ')`;
    expect((await api.client.get(path, { token: guest.token, query: all })).at("summary.results")).toBe(5);
  });
});

test("a streamed summary equals the summary without a stream", async () => {
  const { botId } = await publish(api.client, { token: owner.token, workspaceId }, flow);
  await putAnswered(botId, 25_000);
  const { events } = await streamed(botId);
  expect(events.map(({ event }) => event)).toEqual(["progress", "progress", "progress", "summary"]);
  expect(events.slice(0, 3).map(({ data }) => JSON.parse(data))).toEqual(
    [10_000, 20_000, 25_000].map((read) => ({ read, of: 25_000 })),
  );
  const { body } = await read(botId);
  expect(JSON.parse(events[3]?.data ?? "")).toEqual(body);
  expect(Object(body).summary.columns[3]).toMatchObject({
    answered: 25_000,
    numbers: { least: 0, most: 99, mean: 49.5, median: 49.5 },
  });
});

longTest(
  "the newest 100,000 results are summarised within three seconds",
  async () => {
    const { botId } = await publish(api.client, { token: owner.token, workspaceId }, flow);
    await putAnswered(botId, 100_500);
    const { body } = await read(botId);
    const times: number[] = [];
    // The best of three runs counts, because other programs may slow the machine.
    for (const _ of [1, 2, 3]) {
      const began = performance.now();
      await read(botId);
      times.push(performance.now() - began);
    }
    expect(Object(body).summary).toMatchObject({
      results: limits.summaries.results,
      leftOut: { silent: 0, older: 500, isLowerBound: false },
    });
    expect(Object(body).summary.columns.map(({ answered }: { answered: number }) => answered)).toEqual([
      ...Array.from({ length: 7 }, () => limits.summaries.results),
      ...Array.from({ length: 3 }, () => limits.summaries.results),
    ]);
    expect(Math.min(...times)).toBeLessThan(3_000);
  },
  120_000,
);

async function putAnswered(botId: string, count: number): Promise<void> {
  const { sql } = api.deps;
  const variables = JSON.stringify([
    ...["Name", "Source", "Mail"].map((name) => ({ id: idOf(name), name, value: `${name} of somebody` })),
    { id: idOf("Total"), name: "Total", value: "7" },
  ]);
  await sql`
    insert into results (shard, id, bot_id, has_started, variables)
    select ('x' || right(id::text, 3))::bit(12)::int & 1023, id, ${botId}, true, ${variables}::text::json
    from (select gen_random_uuid() as id from generate_series(1, ${count}::int)) as made`;
  await sql`
    insert into answers (shard, result_id, session_id, revision, position, bot_id, block_id, group_id, content)
    select shard, numbered.id, numbered.id, place, 0, ${botId}, block_id, 'group',
      case block_id
        when 'age' then (number % 100)::text
        when 'drink' then (array['Tea', 'Water'])[1 + number % 2]
        when 'drinks' then 'Tea, Water'
        when 'score' then (number % 11)::text
        when 'stars' then (1 + number % 5)::text
        when 'day' then (1 + number % 28) || ' May 2026'
        else 'Somebody ' || number
      end
    from (select shard, id, row_number() over (order by id) - 1 as number from results where bot_id = ${botId}) as numbered
    cross join unnest(array['name', 'drink', 'drinks', 'age', 'score', 'stars', 'day'])
      with ordinality as asked (block_id, place)`;
  // Real results arrive over months, and the database vacuums them long before there are 100,000.
  await sql`vacuum (analyze) results, answers`;
}

async function streamed(botId: string) {
  const url = `http://localhost/api/v1/bots/${botId}/results/summary?timeFilter=allTime`;
  const headers = { Accept: "text/event-stream", Authorization: `Bearer ${owner.token}` };
  const response = await api.handle(new Request(url, { headers }));
  expect(response.headers.get("content-type")).toStartWith("text/event-stream");
  const events = (await response.text()).split("\n\n").flatMap((part) => readEvent(part) ?? []);
  return { events };
}

const all = { timeFilter: "allTime" };

function read(botId: string, query: Record<string, string> = {}) {
  const path = `/api/v1/bots/${botId}/results/summary`;
  return api.client.get(path, { token: owner.token, query: { ...all, ...query } });
}

function question(id: string, blockType: string, title = "Group 1") {
  return { id, source: "question", title, groupTitle: title === "Name" ? "Group 0" : "Group 1", blockType };
}

function variable(name: string) {
  return { id: idOf(name), source: "variable", title: name, groupTitle: null, blockType: null };
}

function counted(...values: readonly (readonly [string | null, number])[]) {
  return values.map(([value, results]) => ({ value, results }));
}
