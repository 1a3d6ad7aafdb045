import { describe, expect, test } from "bun:test";
import type { Report } from "../../../src/core/interpreter/program/effect.ts";
import type { SheetEffect } from "../../../src/core/interpreter/program/google.ts";
import { limits } from "../../../src/limits/index.ts";
import { play } from "./one-block.ts";

const place = { credentialsId: "ours", spreadsheetId: "leads", sheetId: "0" };

function sheet(options: object, more: { variables?: Record<string, string | null>; report?: Report } = {}) {
  return play({ block: { type: "Google Sheets", options: { ...place, ...options }, outgoingEdgeId: "on" }, ...more })
    .asked;
}

function wanted(options: object, variables: Record<string, string | null> = {}): SheetEffect {
  const [effect] = sheet(options, { variables }).effects;
  if (effect?.kind !== "sheet") throw new Error("Nothing was asked");
  return effect;
}

const inserts = (value: string) => ({ action: "Insert a row", cellsToInsert: [{ id: "c", column: " Phone ", value }] });
const reads = { action: "Get data from sheet", cellsToExtract: [{ id: "c", column: "Name", variableId: "v_Name" }] };
const rows = (...cells: (string | null)[]): Report => ({ kind: "sheet", rows: cells.map((cell) => [cell]) });
const failing = (failure: Extract<Report, { kind: "sheet"; failure: object }>["failure"]): Report => ({
  kind: "sheet",
  failure,
});

describe("the spreadsheet and the sheet", () => {
  test.each([
    ["leads", "0", "leads", "0"],
    ["https://docs.google.com/spreadsheets/d/1A-b_c/edit#gid=77", "", "1A-b_c", "77"],
    ["https://docs.google.com/spreadsheets/d/1A-b_c/edit?gid=77#gid=77", "5", "1A-b_c", "5"],
    ["https://docs.google.com/spreadsheets/u/1/d/1A-b_c/edit", "5", "1A-b_c", "5"],
  ])("the spreadsheet %p with the sheet %p resolves to the ids %p and %p", (spreadsheetId, sheetId, id, gid) => {
    expect(wanted({ ...reads, spreadsheetId, sheetId })).toMatchObject({ spreadsheetId: id, sheetId: gid });
  });

  test.each([
    [{ credentialsId: undefined }, "Missing credentialsId or spreadsheetId"],
    [{ spreadsheetId: undefined }, "Missing credentialsId or spreadsheetId"],
    [{ sheetId: undefined }, "Missing sheetId"],
  ])("no service is called if an option is missing, and the flow continues: %p", (lacking, description) => {
    const { effects, logs, edge } = sheet({ ...reads, ...lacking });
    expect(effects).toEqual([]);
    expect(logs).toMatchObject([{ description }]);
    expect(edge).toBe("on");
  });

  test.each([
    "..",
    "../../drive",
    "leads/values",
    "leads?alt=media",
    "https://docs.google.com/document/d/1A",
    "l\u00e9ads",
    "{{V}}",
  ])("the spreadsheet %p is invalid, and Google is not called", (spreadsheetId) => {
    const { effects, logs } = sheet({ ...reads, spreadsheetId }, { variables: { V: ".." } });
    expect(effects).toEqual([]);
    expect(logs).toMatchObject([{ description: "This is not the id or the URL of a spreadsheet" }]);
  });

  test.each([
    [undefined, 60],
    [0, 1],
    [500, 120],
    [5, 5],
  ])("the time-out setting %p results in a time limit of %p seconds", (timeout, seconds) => {
    expect(wanted({ ...reads, timeout }).timeoutMs).toBe(seconds * 1_000);
  });
});

describe("cells", () => {
  test.each([
    // A formula that the author wrote remains a formula.
    ["=SUM(A1:A9)", "", "=SUM(A1:A9)"],
    ["{{V}}", "=IMPORTXML(1)", "'=IMPORTXML(1)"],
    ["{{V}}", " =1+1", "' =1+1"],
    ["{{V}}", "@SUM(1)", "'@SUM(1)"],
    ["{{V}}", "\t=1", "'\t=1"],
    ["{{V}}", "+1+1", "'+1+1"],
    ["{{V}}", "-1+1", "'-1+1"],
    ["{{V}}", "\uff1d1+1", "'\uff1d1+1"],
    ["{{V}}", "\uff0b1", "'\uff0b1"],
    ["{{V}}", "\uff0d1", "'\uff0d1"],
    ["{{V}}", "\uff20SUM(1)", "'\uff20SUM(1)"],
    ["{{V}}", "\u200b=1+1", "'\u200b=1+1"],
    ["{{V}}", " \u200b+1+1", "' \u200b+1+1"],
    ["{{V}}", "-5", "-5"],
    ["{{V}}", "-5.25", "-5.25"],
    ["{{V}}", "+49 170 1", "'+49 170 1"],
    ["{{V}}", "+491701", "'+491701"],
    ["{{V}}", "0170 1234", "'0170 1234"],
    ["{{V}}", "007", "'007"],
    ["{{V}}", "0", "0"],
    ["{{V}}", "0.5", "0.5"],
    ["{{V}}", "01/02/2024", "01/02/2024"],
    ["{{V}}", "4111111111111111", "'4111111111111111"],
    ["{{V}}", "'tis", "''tis"],
    ["{{V}}", "Ana", "Ana"],
    ["={{V}}", "1", "'=1"],
    ["{{V}}", "a\0b\ud800", "a\ufffdb\ufffd"],
  ])("the template %p with the value %p is written as %p", (template, value, written) => {
    const { act } = wanted(inserts(template), { V: value });
    expect(act).toEqual({ kind: "insert", cells: [{ column: "Phone", value: written }] });
  });

  test("a cell text above the length limit is truncated", () => {
    const report: Report = { kind: "sheet", place: "Leads > Sheet1", written: 1 };
    const { effects, logs } = sheet(inserts("{{V}}"), { variables: { V: "x".repeat(60_000) }, report });
    expect(effects).toMatchObject([{ act: { cells: [{ value: "x".repeat(limits.sheets.cellCharacters) }] } }]);
    expect(logs).toMatchObject([
      { description: 'The text for the column "Phone" was truncated to 50000 characters' },
      { status: "success", description: "Succesfully inserted row in Leads > Sheet1" },
    ]);
  });
});

describe("a filter", () => {
  const comparison = { column: "Name", comparisonOperator: "Equal to", value: "{{V}}" };

  test("a filter omits comparisons without a column", () => {
    const filter = { logicalOperator: "AND", comparisons: [{ value: "x" }, comparison] };
    expect(wanted({ ...reads, filter }, { V: "Ana" }).act).toMatchObject({
      filter: { logicalOperator: "AND", comparisons: [{ column: "Name", operator: "Equal to", value: "Ana" }] },
    });
    expect(wanted({ ...reads, filter: { comparisons: [{ value: "x" }] } }).act).not.toHaveProperty("filter");
  });

  test("a filter is required for an update", () => {
    const { effects, logs } = sheet({ action: "Update a row", cellsToUpsert: [{ column: "Name", value: "x" }] });
    expect(effects).toEqual([]);
    expect(logs).toMatchObject([{ description: "The update requires a filter" }]);
  });
});

describe("rows", () => {
  const variables = { Name: "before" };

  test.each([
    [rows("Ana"), "Ana", []],
    [rows("Ana", "Bob"), ["Ana", "Bob"], []],
    [rows(), "before", [{ status: "info", description: "Couldn't find any rows matching the filter" }]],
  ])("the variable of a read with the report %p is %p", (report, value, logs) => {
    const scene = sheet(reads, { variables, report });
    expect(scene.variables).toEqual({ Name: value });
    expect(scene.logs).toEqual(logs);
  });

  test("rows of a missing column leave the variable unchanged", () => {
    const report: Report = { kind: "sheet", rows: [[null]], missing: ["Name"] };
    const scene = sheet(reads, { variables, report });
    expect(scene.variables).toEqual({ Name: "before" });
    expect(scene.logs).toMatchObject([{ description: 'The sheet has no column "Name"' }]);
  });

  test("a random row is requested with a number that selects the row", () => {
    const { act } = wanted({ ...reads, totalRowsToExtract: "Random" });
    expect(act).toMatchObject({ rows: { take: "Random", at: expect.any(Number) } });
  });
});

describe("a failure", () => {
  const busy = failing({ reason: "status", status: 429, details: "Quota exceeded" });
  const refused = failing({ reason: "credentials", status: 400, details: "invalid_grant" });

  test("the flow continues after a failure, or follows a connected failure edge", () => {
    const gone = sheet(inserts("x"), { report: busy });
    expect(gone.edge).toBe("on");
    expect(gone.logs).toMatchObject([{ description: "Google rejected the request", details: "Quota exceeded" }]);
    expect(sheet({ ...inserts("x"), failure: { outgoingEdgeId: "failed" } }, { report: busy }).edge).toBe("failed");
  });

  test("a failure of the credentials stops a flow that reads rows", () => {
    expect(sheet(reads, { report: refused }).edge).toBeNull();
    expect(sheet(inserts("x"), { report: refused }).edge).toBe("on");
    expect(sheet({ ...reads, failure: { outgoingEdgeId: "failed" } }, { report: refused }).edge).toBe("failed");
    expect(sheet(reads, { report: busy }).edge).toBe("on");
  });
});

test("a log entry reports that an earlier attempt had written the row", () => {
  const report: Report = { kind: "sheet", place: "Leads > Sheet1", written: 1, wasThere: true };
  expect(sheet(inserts("x"), { report }).logs).toMatchObject([
    { status: "success" },
    { status: "info", description: "The row already existed, because an earlier attempt had written it" },
  ]);
});

test("the log reports whether an update matched a row", () => {
  const options = {
    action: "Update a row",
    cellsToUpsert: [{ column: "Name", value: "x" }],
    filter: { comparisons: [{ column: "Name", comparisonOperator: "Is empty" }] },
  };
  const report = (written: number): Report => ({ kind: "sheet", place: "Leads > Sheet1", written });
  expect(sheet(options, { report: report(2) }).logs).toMatchObject([
    { description: "Succesfully updated matching rows" },
  ]);
  expect(sheet(options, { report: report(0) }).logs).toMatchObject([
    { status: "info", description: "Could not find any row that matches the filter" },
  ]);
});
