import { idOf } from "../../support/builder-ids.ts";
import { asks, flowOf, says } from "../../support/chat.ts";

/** The credentials and spreadsheets of a bot whose chats pay, write rows, time out, and are called. */
export type Accounts = {
  readonly stripe: string;
  readonly google: string;
  /** The sheet whose rows are written in the chat's steps. */
  readonly rows: string;
  /** The sheet whose rows are postponed. */
  readonly laterRows: string;
};

/** Seconds until the timed question continues without an answer. */
export const timedSeconds = 2;
/** The points at which a chat writes a row, in order. */
export const rowPlaces = ["named", "timed", "called"] as const;
export const price = 1_250;

export const inputs = { name: "name", payment: "payment", timed: "timed", last: "last" } as const;

export function providersFlow({ stripe, google, rows, laterRows }: Accounts) {
  const row = (place: string, spreadsheetId: string, isLater: boolean) => ({
    id: `row ${place}`,
    type: "Google Sheets",
    options: {
      ...{ credentialsId: google, spreadsheetId, sheetId: "0", action: "Insert a row", isLater },
      cellsToInsert: [{ id: "c", column: "Name", value: `{{Name}} ${place}` }],
      // Long enough that the author's timeout does not end a request whose node dies.
      timeout: 120,
    },
  });
  return flowOf(
    [
      { id: "address", type: "Set variable", options: { ...callbackAddress, variableId: idOf("Email") } },
      says("Call {{Email}}"),
      { ...asks("text input", { variableId: idOf("Name") }), id: inputs.name },
      row("named", rows, false),
      {
        ...asks("payment input", { credentialsId: stripe, amount: String(price / 100), currency: "EUR" }),
        id: inputs.payment,
      },
      row("paid", laterRows, true),
      says("{{Name}} has paid"),
      {
        ...asks("number input", { timeout: { after: timedSeconds, outgoingEdgeId: idOf("e1") } }),
        id: inputs.timed,
      },
      { ...says("{{Name}} was in time"), outgoingEdgeId: idOf("e2") },
    ],
    [{ ...says("{{Name}} was late"), outgoingEdgeId: idOf("e2") }],
    [
      row("timed", rows, false),
      { id: "listen", type: "webhook", options: {} },
      row("called", rows, false),
      says("{{Name}} was called"),
      { ...asks("email input"), id: inputs.last },
      says("{{Name}} is done"),
    ],
  );
}

const callbackAddress = { type: "Callback address", blockId: "listen" };
