import { expect, test } from "bun:test";
import { appendRows } from "../../../src/effects/google/append-rows.ts";
import type { AccountRequest, GoogleSession } from "../../../src/effects/google/google-session.ts";
import { backgroundClock } from "../../../src/platform/concurrency/clock.ts";

const tab = { documentTitle: "Leads", title: "Sheet", isKept: false };
const anas = { cells: [{ column: "Name", value: "Ana" }], mayBeThere: true };

/** Returns a sheet with the given rows, and the calls that append to it. */
function sheetWith(...rows: readonly string[][]) {
  const appended: unknown[] = [];
  const google: GoogleSession = {
    address: "sheets@example.com",
    hasTimeFor: () => true,
    async call({ method, url, body }: AccountRequest) {
      if (method === "POST") appended.push(body);
      const isHeader = decodeURIComponent(url).includes("!1:1");
      return { body: method === "POST" ? {} : { values: isHeader ? [["Name"]] : [["Name"], ...rows] } };
    },
  };
  return { google, appended };
}

const resume = (google: GoogleSession) =>
  appendRows(google, { spreadsheetId: "leads", tab, rows: [anas, anas] }, backgroundClock);
const wasThere = (done: Awaited<ReturnType<typeof resume>>) =>
  "rows" in done ? done.rows.map((row) => row.wasThere) : done;

test("a resumed append adds only the missing one of two equal rows", async () => {
  const { google, appended } = sheetWith(["Ben"], ["Ana"]);

  expect(wasThere(await resume(google))).toEqual([true, false]);
  expect(appended).toEqual([{ majorDimension: "ROWS", values: [["Ana"]] }]);
});

test("a resumed append adds no row if both of two equal rows exist", async () => {
  const { google, appended } = sheetWith(["Ana"], ["Ana"]);

  expect(wasThere(await resume(google))).toEqual([true, true]);
  expect(appended).toEqual([]);
});
