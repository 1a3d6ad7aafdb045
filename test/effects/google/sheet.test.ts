import { afterAll, expect, test } from "bun:test";
import { ownClient, person, serviceAccount } from "../../fake-providers/google/accounts.ts";
import { createGoogleWorld } from "./google-world.ts";

const world = await createGoogleWorld();
afterAll(world.close);

const { fake, makeSheet, perform } = world;
const films = [
  ["Film", " Year ", "Film", "Stars"],
  ["Alien", "1979", "second", "5"],
  [],
  ["Brazil", "1985", "", "4"],
  ["Contact", "1997"],
];

const all = { take: "All" } as const;
const get = (columns: readonly string[], more: object = {}) => ({ kind: "get", columns, rows: all, ...more }) as const;
const insert = (...cells: readonly (readonly [string, string])[]) =>
  ({ kind: "insert", cells: cells.map(([column, value]) => ({ column, value })) }) as const;

test("columns are found by their trimmed names", async () => {
  const report = await perform(makeSheet(films), get(["Film", "Year", "Stars"]));
  expect(report).toEqual({
    kind: "sheet",
    rows: [
      ["Alien", "1979", "5"],
      ["Brazil", "1985", "4"],
      ["Contact", "1997", ""],
    ],
  });
});

test("a missing column is reported", async () => {
  const filter = { comparisons: [{ column: "Director", operator: "Not equal", value: "Scott" }] };
  expect(await perform(makeSheet(films), get(["Film"], { filter }))).toEqual({
    kind: "sheet",
    rows: [],
    missing: ["Director"],
  });
  expect(await perform(makeSheet(films), get(["Plot", "Film"], { rows: { take: "Last" } }))).toEqual({
    kind: "sheet",
    rows: [[null, "Contact"]],
    missing: ["Plot"],
  });
});

test.each([
  [{ take: "First" }, "Alien"],
  [{ take: "Last" }, "Contact"],
  [{ take: "Random", at: 0.5 }, "Brazil"],
  [{ take: "Random", at: 0.999 }, "Contact"],
] as const)("the option %p selects the row of the film %s", async (rows, film) => {
  expect(await perform(makeSheet(films), get(["Film"], { rows }))).toMatchObject({ rows: [[film]] });
});

test("a row is appended below the table", async () => {
  const id = makeSheet([["Name", "", "Mail"], ["Ana", "", "ana@example.com"], [], ["Note below the table"]]);
  const report = await perform(id, insert(["Mail", "bob@example.com"], ["Name", "Bob"], ["Phone", "1"]));
  expect(report).toEqual({ kind: "sheet", place: "Leads > Sheet1", written: 1, missing: ["Phone"] });
  expect(fake.sheets.rowsOf(id)[2]).toEqual(["Bob", "", "bob@example.com"]);
  expect(fake.sheets.rowsOf(id)[4]).toEqual(["Note below the table"]);
});

test("an update changes all matching rows, and only these rows", async () => {
  const id = makeSheet([
    ["Name", "State"],
    ["Ana", "new"],
    ["Bob", "old"],
    ["Cy", "new"],
  ]);
  const filter = { comparisons: [{ column: "State", operator: "Equal to", value: "new" }] };
  const cells = [{ column: "State", value: "seen" }];
  expect(await perform(id, { kind: "update", filter, cells })).toMatchObject({ written: 2 });
  expect(fake.sheets.rowsOf(id).map((row) => row[1])).toEqual(["State", "seen", "old", "seen"]);
  expect(await perform(id, { kind: "update", filter, cells })).toMatchObject({ written: 0 });
});

test("a resumed append finds a row that it already wrote among the last rows", async () => {
  const id = makeSheet([["Name", "Phone", "Paid"]]);
  const row = insert(["Name", "Ana"], ["Phone", "'0049"], ["Paid", "12.50"]);
  await perform(id, row);
  expect(await perform(id, row, { isResumed: true })).toMatchObject({ written: 1, wasThere: true });
  expect(fake.sheets.rowsOf(id)).toHaveLength(2);
  expect(await perform(id, insert(["Name", "Bob"]), { isResumed: true })).not.toHaveProperty("wasThere");
  expect(fake.sheets.rowsOf(id)).toHaveLength(3);
});

test("a resumed append searches only the last 1,000 rows", async () => {
  // Advances to the next minute of the account's quota.
  world.clock.skip(60_000);
  const many = (count: number) => Array.from({ length: count }, (_, index) => [`Visitor ${index}`]);
  const id = makeSheet([["Name"], ["Ana"], ...many(999)]);
  expect(await perform(id, insert(["Name", "Ana"]), { isResumed: true })).toMatchObject({ wasThere: true });
  const other = makeSheet([["Name"], ["Ana"], ...many(1_000)]);
  await perform(other, insert(["Name", "Ana"]), { isResumed: true });
  expect(fake.sheets.rowsOf(other)).toHaveLength(1_003);
});

test("a resumed append finds its row even if many notes follow below a blank row", async () => {
  const notes = Array.from({ length: 1_060 }, (_, index) => [`Note ${index}`]);
  const id = makeSheet([["Name"], ["Ana"], [], ...notes]);
  expect(await perform(id, insert(["Name", "Ana"]), { isResumed: true })).toMatchObject({ wasThere: true });
});

test.each(["503", "500", "cut", "html", "malformed"] as const)(
  "an append that Google executed with the faulty response %p is found in the sheet and not repeated",
  async (fault) => {
    const id = makeSheet([["Name"]]);
    fake.failAt(":append", { fault, isDone: true });
    expect(await perform(id, insert(["Name", "Ana"]))).toMatchObject({ written: 1, wasThere: true });
    expect(fake.sheets.rowsOf(id)).toEqual([["Name"], ["Ana"]]);
  },
);

test("an append that Google did not execute is repeated", async () => {
  const id = makeSheet([["Name"]]);
  fake.failAt(":append", "503", "429");
  expect(await perform(id, insert(["Name", "Ana"]))).toEqual({ kind: "sheet", place: "Leads > Sheet1", written: 1 });
  expect(fake.sheets.rowsOf(id)).toEqual([["Name"], ["Ana"]]);
});

test("a renamed tab is found by its new title", async () => {
  const id = makeSheet([["Name"], ["Ana"]]);
  await perform(id, get(["Name"]));
  fake.sheets.rename(id, "Bob's leads");
  expect(await perform(id, get(["Name"]))).toMatchObject({ rows: [["Ana"]] });
});

test("a tab's title is cached for five minutes", async () => {
  const id = makeSheet([["Name"], ["Ana"]]);
  const looks = () => fake.asked.filter(({ path }) => path === `/v4/spreadsheets/${id}`).length;
  await perform(id, get(["Name"]));
  await perform(id, get(["Name"]));
  expect(looks()).toBe(1);
  world.clock.skip(5 * 60_000);
  await perform(id, get(["Name"]));
  expect(looks()).toBe(2);
});

test("a call waits for Google's quota only as long as its block allows", async () => {
  const id = makeSheet([["Name"], ["Ana"]]);
  fake.failAt("/values/", "429", "429", "503");
  expect(await perform(id, get(["Name"]))).toMatchObject({ rows: [["Ana"]] });
  fake.failAt("/values/", ...Array.from({ length: 10 }, () => "429" as const));
  const report = await perform(id, get(["Name"]), { timeoutMs: 20_000 });
  expect(report).toMatchObject({ failure: { reason: "status", status: 429 } });
});

test.each(["408", "500", "502", "504"] as const)(
  "a read that gets the status %s is sent at most three times",
  async (fault) => {
    fake.recover();
    const id = makeSheet([["Name"], ["Ana"]]);
    fake.failAt("/values/", fault, fault);
    expect(await perform(id, get(["Name"]))).toMatchObject({ rows: [["Ana"]] });
    fake.failAt("/values/", fault, fault, fault);
    expect(await perform(id, get(["Name"]))).toMatchObject({ failure: { reason: "status", status: Number(fault) } });
  },
);

test.each(["500", "502", "cut"] as const)(
  'a token is requested again after the fault "%s" of Google',
  async (fault) => {
    const fresh = await createGoogleWorld();
    const id = fresh.makeSheet([["Name"], ["Ana"]]);
    fresh.fake.failAt("/token", fault, fault);
    expect(await fresh.perform(id, insert(["Name", "Bob"]))).toMatchObject({ written: 1 });
    await fresh.close();
  },
);

test("the error for an unshared spreadsheet names the account", async () => {
  const id = fake.sheets.make({ rows: [["Name"]], sharedWith: [] });
  expect(await perform(id, get(["Name"]))).toEqual({
    kind: "sheet",
    failure: {
      reason: "status",
      status: 403,
      details: `The caller does not have permission. Share the spreadsheet with ${serviceAccount.clientEmail}`,
    },
  });
  expect(await perform("nowhere", get(["Name"]))).toMatchObject({ failure: { status: 404 } });
});

test.each([
  ["malformed", { reason: "unreadable" }],
  ["html", { reason: "unreadable" }],
  ["401", undefined],
  ["cut", undefined],
] as const)(
  "a read with the first response %p ends with the failure %p (undefined: the second response is used)",
  async (fault, failure) => {
    const id = makeSheet([["Name"], ["Ana"]]);
    await perform(id, get(["Name"]));
    fake.failAt("/values/", fault);
    const report = await perform(id, get(["Name"]));
    if (failure) expect(report).toMatchObject({ failure });
    else expect(report).toMatchObject({ rows: [["Ana"]] });
  },
);

test("a sheet with too many rows or columns is refused", async () => {
  const wide = makeSheet([Array.from({ length: 201 }, (_, index) => `C${index}`)]);
  expect(await perform(wide, get(["C1"]))).toMatchObject({
    failure: { reason: "refused", details: "The sheet has more than 200 columns" },
  });
  const long = makeSheet([["Name"], ...Array.from({ length: 50_001 }, () => ["x"])]);
  expect(await perform(long, get(["Name"]))).toMatchObject({
    failure: { reason: "refused", details: "The sheet has more than 50000 rows" },
  });
});

test("a missing sheet of the spreadsheet is reported", async () => {
  const id = makeSheet([["Name"]]);
  const place = { kind: "sheet", credentialsId: "ours", spreadsheetId: id, sheetId: "7", timeoutMs: 60_000 } as const;
  const { performSheet } = await import("../../../src/effects/sheet.ts");
  expect(await performSheet({ ...place, act: get(["Name"]) }, world.context)).toMatchObject({
    failure: { reason: "refused", details: 'The spreadsheet "Leads" has no sheet with the id 7' },
  });
});

test("a personal account works with the OAuth client that connected it", async () => {
  const theirs = await createGoogleWorld({
    refreshToken: person.refreshToken,
    clientId: ownClient.id,
    clientSecret: ownClient.secret,
    account: person.account,
  });
  const id = theirs.fake.sheets.make({ rows: [["Name"], ["Ana"]], sharedWith: [person.account] });
  expect(await theirs.perform(id, get(["Name"]))).toMatchObject({ rows: [["Ana"]] });
  await theirs.close();
});
