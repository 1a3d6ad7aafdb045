import { isJsonObject, textAt } from "../../core/interpreter/flow.ts";
import type { SheetCell } from "../../core/interpreter/program/google.ts";
import { limits } from "../../limits/index.ts";
import { type AppendedRow, appendRows } from "../google/append-rows.ts";
import type { GoogleFailure } from "../google/google-session.ts";
import { openSheets, withTab } from "../google/open-sheets.ts";
import { placeOf } from "../google/tabs.ts";
import { noHops } from "../safe-fetch/hops.ts";
import type { CallEnd, DeferredService, DeferredWorld, WaitingCall } from "./deferred-service.ts";

/** A deferred row as stored by its block. */
type LeftRow = {
  readonly spreadsheetId: string;
  readonly sheetId: string;
  readonly cells: readonly SheetCell[];
};

/**
 * Writes deferred rows. One call appends up to `limits.deferredCalls.batch` rows of a sheet, in the order in which
 * blocks deferred the rows.
 */
export const googleSheetsRows: DeferredService = {
  type: "google sheets",
  context: "Google Sheets",
  async deliver(calls, world) {
    const ends = new Map<string, CallEnd>();
    const rows = calls.map((call) => ({ call, row: rowIn(call.content) }));
    const sheets = Map.groupBy(rows, ({ row }) => `${row.spreadsheetId} ${row.sheetId}`);
    for (const ofSheet of sheets.values()) {
      const inOrder = ofSheet.toSorted((one, other) => (one.call.id < other.call.id ? -1 : 1));
      for (let from = 0; from < inOrder.length; from += limits.deferredCalls.batch) {
        const batch = inOrder.slice(from, from + limits.deferredCalls.batch);
        const each = await append(batch, world);
        for (const [index, { call }] of batch.entries()) {
          const end = each[index];
          if (end) ends.set(call.id, end);
        }
      }
    }
    return calls.flatMap(({ id }) => ends.get(id) ?? []);
  },
};

type Left = { readonly call: WaitingCall; readonly row: LeftRow };

async function append(batch: readonly Left[], world: DeferredWorld): Promise<CallEnd[]> {
  const [first] = batch;
  if (!first) return [];
  const { credentials: data, credentialsId, workspaceId, google, safeFetch, providers } = world;
  const timeLeftMs = limits.deferredCalls.deliveryMs;
  const context = {
    ...{ google, safeFetch, providers, timeLeftMs },
    hops: { ...noHops, workspaceId },
    credentials: { find: async () => data, noteUse: async () => {} },
  };
  const place = { ...first.row, credentialsId, timeoutMs: timeLeftMs };
  const session = await openSheets(place, context);
  if ("failure" in session) return batch.map(() => failedEnd(session.failure));
  const appended = await withTab(place, { google, session }, async (tab) => {
    const rows = batch.map(({ call, row }) => ({ cells: row.cells, mayBeThere: call.isRepeated }));
    const done = await appendRows(session, { spreadsheetId: place.spreadsheetId, tab, rows }, google.clock);
    return "failure" in done ? done : { ends: done.rows.map((row) => endOf(row, placeOf(tab))) };
  });
  return "failure" in appended ? batch.map(() => failedEnd(appended.failure)) : [...appended.ends];
}

function rowIn(content: unknown): LeftRow {
  const cells = isJsonObject(content) && Array.isArray(content["cells"]) ? content["cells"] : [];
  return {
    spreadsheetId: textAt(content, "spreadsheetId") ?? "",
    sheetId: textAt(content, "sheetId") ?? "",
    cells: cells.map((cell: unknown) => ({
      column: textAt(cell, "column") ?? "",
      value: textAt(cell, "value") ?? "",
    })),
  };
}

function endOf({ isWritten, missing }: AppendedRow, place: string): CallEnd {
  const named = missing.map((column) => `"${column}"`).join(", ");
  if (isWritten) {
    const without = missing.length > 0 ? `, without columns that the sheet does not have: ${named}` : "";
    return { kind: "sent", description: `Succesfully inserted row in ${place}${without}` };
  }
  return {
    kind: "failed",
    description: "No row was inserted, because the sheet has none of the row's columns",
    reason: `The sheet does not have ${named}`,
    isRetryable: false,
    failure: "block",
  };
}

function failedEnd({ reason, status, details = reason }: GoogleFailure): CallEnd {
  return {
    kind: "failed",
    description: "The row was not inserted",
    reason: details,
    // All failures except status 400 are retried. A missing or unshared sheet may become available, and a rejected key
    // may be corrected.
    isRetryable: status === undefined || status !== 400,
    failure: reason === "credentials" ? "credentials" : `http.${status ?? "unanswered"}`,
  };
}
