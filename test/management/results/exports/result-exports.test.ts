import { afterAll, beforeAll, expect, test } from "bun:test";
import { inflateRawSync } from "node:zlib";
import { readXlsx } from "hucre/xlsx";
import { createTestApi, type TestApi, type TestUser } from "../../../support/api.ts";
import { idOf } from "../../../support/builder-ids.ts";
import { asks, flowOf } from "../../../support/chat.ts";
import { noteOperation } from "../../../support/contract.ts";
import { endCells, endTitles } from "../../../support/result-fields.ts";
import { putResult, putResults } from "../../../support/results.ts";

let api: TestApi;
let owner: TestUser;
let workspaceId: string;

beforeAll(async () => {
  api = await createTestApi();
  owner = await api.makeUser();
  workspaceId = await api.makeWorkspace(owner);
});
afterAll(() => api.close());

test("CSV and XLSX contain the flow's columns in order", async () => {
  const flow = flowOf([
    asks("text input", { variableId: idOf("Email") }, { id: "block-1" }),
    asks("text input", { variableId: idOf("Email") }, { id: "block-0" }),
    asks("number input", {}, { id: "block-2" }),
  ]);
  const variables = [...flow.variables, { id: idOf("x"), name: '=cmd|"x"!A0' }];
  const botId = await makeBot({ ...flow, variables, publicId: "exp..ort", name: "../../x" });
  const { resultId } = await putResult(api.deps.sql, botId, {
    createdAt: "2026-03-01T10:00:00.000Z",
    isCompleted: true,
    version: 3,
    variables: [
      { id: idOf("Name"), name: "Name", value: ["a", null, "b"] },
      { id: idOf("x"), name: "x", value: "\t=1" },
    ],
    answers: [
      { content: "=cmd|' /C calc'!A0" },
      { content: 'say "hi",\nthere\r\n =1+1\n- no formula' },
      { content: "-12.5" },
      { content: "+1+1" },
    ],
  });
  await api.client.patch(`/api/v1/bots/${botId}/results/${resultId}`, {
    token: owner.token,
    body: { tags: ["lead", "-1"], note: "@SUM(A1)" },
  });
  await putResult(api.deps.sql, botId, { createdAt: "2026-03-02T10:00:00.000Z" });

  const answer = await fetchExport(botId, "format=csv&isCompleted=true");
  expect(answer.status).toBe(200);
  noteOperation({ method: "GET", path: "/api/v1/bots/:botId/results/export" });
  expect(answer.headers.get("content-type")).toStartWith("text/csv");
  expect(answer.headers.get("content-disposition")).toMatch(
    /^attachment; filename="results-exp-ort-\d{4}-\d\d-\d\d\.csv"$/,
  );
  expect(await answer.text()).toBe(
    [
      `Submitted at,Result,Completed,Email,Email (1),Group 0,Name,"'=cmd|""x""!A0",Other answers,${endTitles}`,
      `2026-03-01T10:00:00.000Z,${resultId},yes,"say ""hi"",\nthere\r\n '=1+1\n- no formula",'=cmd|' /C calc'!A0,-12.5,"a, , b",'\t=1,block-3: +1+1,${endCells({ Tags: '"lead, -1"', Note: "'@SUM(A1)", Version: "3" })}`,
      "",
    ].join("\r\n"),
  );

  const sheet = await fetchExport(botId, "format=xlsx&isCompleted=true");
  expect(sheet.headers.get("content-disposition")).toEndWith('.xlsx"');
  const { sheets } = await readXlsx(new Uint8Array(await sheet.arrayBuffer()));
  expect(sheets.map(({ rows }) => rows.map((row) => row.map((cell) => cell ?? "")))).toEqual([
    [
      ["Submitted at", "Result", "Completed", "Email", "Email (1)", "Group 0", "Name", '=cmd|"x"!A0'].concat([
        "Other answers",
        ...endTitles,
      ]),
      [
        new Date("2026-03-01T10:00:00.000Z"),
        resultId,
        "yes",
        'say "hi",\nthere\r\n =1+1\n- no formula',
        "=cmd|' /C calc'!A0",
        -12.5,
      ].concat(["a, , b", "\t=1", "block-3: +1+1", ...endCells({ Tags: "lead, -1", Note: "@SUM(A1)", Version: 3 })]),
    ],
  ]);
  expect(sheets[0]?.cells ?? new Map()).toEqual(new Map());
});

test("columns of an export follow the edges of the flow", async () => {
  const flow = flowOf(
    [asks("text input", { variableId: idOf("Name") }, { id: "first", outgoingEdgeId: idOf("e2") })],
    [asks("text input", { variableId: idOf("Name") }, { id: "last" })],
    [asks("text input", { variableId: idOf("Name") }, { id: "middle", outgoingEdgeId: idOf("e1") })],
  );
  const botId = await makeBot(flow);

  const title = (await (await fetchExport(botId, "format=csv")).text()).trimEnd();
  expect(title).toBe(`Submitted at,Result,Completed,Name,Name (2),Name (1),Email,Other answers,${endTitles}`);
});

test("CSV marks cells that begin like a formula, unless the guard is off", async () => {
  const cells = [
    "=1+1",
    "+1+1",
    "-1+1",
    "@SUM(A1)",
    "\uff1d1",
    "\uff0b1",
    "\uff0d1",
    "\uff201",
    " -1+1",
    "+4915112345678",
    "+1.5",
    "-1",
    "-1,5",
    "1-1",
  ];
  const variables = cells.map((_, index) => ({ id: idOf(`v${index}`), name: `Cell ${index}` }));
  const botId = await makeBot({ ...flowOf([]), variables });
  const { resultId } = await putResult(api.deps.sql, botId, {
    createdAt: "2026-03-01T10:00:00.000Z",
    variables: cells.map((value, index) => ({ id: idOf(`v${index}`), name: `Cell ${index}`, value })),
  });

  const [, line] = (await (await fetchExport(botId, "format=csv")).text()).split("\r\n");
  const marked = cells.map((cell, index) => (index < 11 ? `'${cell}` : cell)).with(12, '"-1,5"');
  expect(line).toStartWith(`${["2026-03-01T10:00:00.000Z", resultId, "no", ...marked].join(",")},`);

  const unguarded = await fetchExport(botId, "format=csv&guard=off");
  expect(unguarded.headers.get("content-disposition")).toEndWith('-unguarded.csv"');
  const [, plain] = (await unguarded.text()).split("\r\n");
  const cellsAlone = cells.with(12, '"-1,5"');
  expect(plain).toStartWith(`${["2026-03-01T10:00:00.000Z", resultId, "no", ...cellsAlone].join(",")},`);
  expect((await fetchExport(botId, "guard=no")).status).toBe(400);
});

test("only CSV can start with a byte order mark, and only on request", async () => {
  const botId = await makeBot(flowOf([]));
  const begin = async (query: string) => {
    const bytes = new Uint8Array(await (await fetchExport(botId, query)).arrayBuffer());
    return Buffer.from(bytes.subarray(0, 3)).toString("hex") === "efbbbf";
  };

  expect(await begin("format=csv&bom=on")).toBe(true);
  for (const other of ["format=csv", "format=csv&bom=off", "format=ndjson&bom=on", "format=xlsx&bom=on"])
    expect([other, await begin(other)]).toEqual([other, false]);
  expect((await fetchExport(botId, "bom=yes")).status).toBe(400);
});

test("XLSX keeps special characters and values that only look like numbers", async () => {
  const botId = await makeBot(
    flowOf([asks("text input", {}, { id: "block-0" }), asks("number input", {}, { id: "block-1" })]),
  );
  const odd = " _x0041_ \u0007 <&> \ud83d\ude00 \n";
  const numbers = ["007", "1234567890123456", "1e5", "+5", "12"];
  for (const [index, content] of [odd, "long".repeat(10_000), ...numbers.slice(2)].entries()) {
    await putResult(api.deps.sql, botId, {
      createdAt: `2026-03-0${index + 1}T10:00:00.000Z`,
      answers: [{ content }, { content: numbers[index] ?? "" }],
    });
  }

  const sheet = await fetchExport(botId, "format=xlsx&order=oldest");
  const { sheets } = await readXlsx(new Uint8Array(await sheet.arrayBuffer()));

  const [, ...rows] = sheets[0]?.rows ?? [];
  expect(rows[0]?.[3]).toBe(odd);
  expect(rows[1]?.[3]).toHaveLength(32_767);
  expect(rows.map((row) => row[4])).toEqual(["007", "1234567890123456", "1e5", "+5", 12]);
});

test("XLSX stores numeric values of computed variables as numbers", async () => {
  const names = ["Total", "Sum", "Ticket", "Zip"] as const;
  const sets = (name: string, options: object) => ({
    id: `set-${name}`,
    type: "Set variable",
    options: { variableId: idOf(name), ...options },
  });
  const flow = flowOf([
    sets("Total", { expressionToEvaluate: "{{Price}} * 2" }),
    sets("Sum", { type: "Custom", expressionToEvaluate: "{{Price}} + 1" }),
    sets("Ticket", { type: "Random ID" }),
    { id: "unfinished", type: "Set variable" },
  ]);
  const botId = await makeBot({ ...flow, variables: names.map((name) => ({ id: idOf(name), name })) });
  for (const [day, value] of ["12.50", "-3", "01067", "none"].entries()) {
    await putResult(api.deps.sql, botId, {
      createdAt: `2026-03-0${day + 1}T10:00:00.000Z`,
      variables: names.map((name) => ({ id: idOf(name), name, value })),
    });
  }

  const sheet = await fetchExport(botId, "format=xlsx&order=oldest");
  const { sheets } = await readXlsx(new Uint8Array(await sheet.arrayBuffer()));

  expect(sheets[0]?.rows.map((row) => row.slice(3, 7))).toEqual([
    [...names],
    [12.5, 12.5, "12.50", "12.50"],
    [-3, -3, "-3", "-3"],
    ["01067", "01067", "01067", "01067"],
    ["none", "none", "none", "none"],
  ]);
  expect(await (await fetchExport(botId, "format=csv&order=oldest")).text()).toContain(",12.50,12.50,12.50,12.50,");
});

test("XLSX stays valid with noncharacters and with an emoji at the cell limit", async () => {
  const botId = await makeBot(flowOf([asks("text input", {}, { id: "block-0" })]));
  const noncharacters = "no \ufffe and \uffff here";
  const faces = `${"a".repeat(32_765)}${"\ud83d\ude00".repeat(2)}`;
  for (const [index, content] of [noncharacters, faces].entries()) {
    await putResult(api.deps.sql, botId, { createdAt: `2026-03-0${index + 1}T10:00:00.000Z`, answers: [{ content }] });
  }

  const file = Buffer.from(await (await fetchExport(botId, "format=xlsx&order=oldest")).arrayBuffer());
  const { sheets } = await readXlsx(file);
  expect(sheets[0]?.rows.slice(1).map((row) => row[3])).toEqual([noncharacters, `${"a".repeat(32_765)}\u2026`]);
  // XML does not allow U+FFFE and U+FFFF, which would break the document.
  expect(partOf(file, "xl/worksheets/sheet1.xml")).not.toMatch(/[\ufffe\uffff\ufffd]/);
});

function partOf(file: Buffer, name: string): string {
  const at = file.indexOf(name);
  const extra = file.readUInt16LE(at - 2);
  return inflateRawSync(file.subarray(at + name.length + extra)).toString();
}

test("NDJSON contains every result in the format of the result list", async () => {
  const botId = await makeBot();
  await putResults(api.deps.sql, botId, 401);
  await putResult(api.deps.sql, botId, { createdAt: "2026-01-01T00:00:00.000Z", answers: [{ content: "a\nb" }] });

  const lines = (await (await fetchExport(botId, "format=ndjson&order=oldest")).text()).trimEnd().split("\n");
  const results = lines.map((line) => JSON.parse(line));
  expect(new Set(results.map(({ id }) => id)).size).toBe(402);
  const query = { timeFilter: "allTime", order: "oldest", limit: 1 };
  const listed = await api.client.get(`/api/v1/bots/${botId}/results`, { token: owner.token, query });
  expect(results[0]).toEqual(listed.at("results.0"));
});

test("a reader can disconnect before the end of a workbook", async () => {
  const botId = await makeBot();
  await putResults(api.deps.sql, botId, 20_000);
  const reader = (await fetchExport(botId, "format=xlsx")).body?.getReader();
  expect((await reader?.read())?.value?.length).toBeGreaterThan(0);
  await reader?.cancel();
  await expect(reader?.read()).resolves.toMatchObject({ done: true });
});

test("an export is streamed while it is being created", async () => {
  const botId = await makeBot();
  await putResults(api.deps.sql, botId, 1_000);
  const reader = (await fetchExport(botId, "format=ndjson")).body?.getReader();
  const first = new TextDecoder().decode((await reader?.read())?.value);
  expect(first.trimEnd().split("\n").length).toBeLessThan(200);
  await reader?.cancel();
  const [row] = await api.deps.sql`select count(*)::integer as count from results where bot_id = ${botId}`;
  expect(row).toEqual({ count: 1_000 });
});

test("an export of a bot without results contains only a header", async () => {
  const botId = await makeBot();
  expect(await (await fetchExport(botId, "")).text()).toMatch(/^Submitted at,Result,[^\r]*\r\n$/);
  expect((await fetchExport(botId, "format=exe")).status).toBe(400);
  expect((await fetchExport(botId, "from=never")).status).toBe(400);
});

async function makeBot(bot: object = {}): Promise<string> {
  return (await api.client.post("/api/v1/bots", { token: owner.token, body: { workspaceId, bot } })).text("bot.id");
}

function fetchExport(botId: string, query: string): Promise<Response> {
  const address = `http://localhost/api/v1/bots/${botId}/results/export?${query}`;
  return api.handle(new Request(address, { headers: { Authorization: `Bearer ${owner.token}` } }));
}
