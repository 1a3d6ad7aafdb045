import { type Answer, type Asked, type FakeProvider, type PlannedFault, startFake } from "../kit.ts";
import { type Accounts, createAccounts, serviceAccount } from "./accounts.ts";
import { createMailbox, type Mailbox } from "./mailbox.ts";
import { createSheets, type Sheets } from "./sheets.ts";
import { problem } from "./wire.ts";

export type FakeGoogle = FakeProvider & {
  readonly accounts: Accounts;
  readonly sheets: Sheets;
  readonly mailbox: Mailbox;
  /** Plans faults for the next requests whose path contains `path`, one fault per request. */
  failAt(
    path: string,
    ...faults: readonly (PlannedFault | { readonly fault: PlannedFault; readonly isDone: true })[]
  ): void;
};

/** Starts all Google services that Parley calls: accounts, spreadsheets and mails. */
export async function startFakeGoogle({
  port = 0,
  now = Date.now,
  tokenSeconds = 3_599,
}: {
  port?: number;
  now?: () => number;
  tokenSeconds?: number;
} = {}): Promise<FakeGoogle> {
  const accounts = createAccounts({ now, seconds: tokenSeconds });
  const sheets = createSheets({ now });
  const mailbox = createMailbox();
  /** Serves the pages that people open in a browser: a spreadsheet, and the key of the service account. */
  const show = ({ method, path }: Asked): Answer | undefined => {
    if (method !== "GET") return undefined;
    if (path === "/service-account.json") {
      return { json: { client_email: serviceAccount.clientEmail, private_key: serviceAccount.privateKey } };
    }
    const [, id] = /^\/spreadsheets\/d\/([^/]+)/.exec(path) ?? [];
    if (id === undefined) return undefined;
    const text = sheets.rowsOf(id).map((row) => row.join("\t"));
    return { text: `${text.join("\n")}\n`, headers: { "content-type": "text/plain; charset=utf-8" } };
  };
  const fake = await startFake({
    name: "google",
    port,
    refusal: (status, { headers }) =>
      problem(status, "UNAVAILABLE", `Refused with ${status}: ${headers["authorization"]}`).json,
    async answer(asked) {
      const shown = show(asked);
      if (shown) return shown;
      const token = await accounts.answer(asked);
      if (token) return token;
      const grant = accounts.grantOf(asked);
      if (!("account" in grant)) return grant;
      return sheets.answer(asked, grant) ?? mailbox.answer(asked, grant) ?? problem(404, "NOT_FOUND", "Not found");
    },
  });
  return {
    ...fake,
    accounts,
    sheets,
    mailbox,
    failAt(path, ...faults) {
      const of = (asked: Asked): boolean => asked.path.includes(path);
      for (const fault of faults) {
        if (typeof fault === "string") fake.fail(fault, { of });
        else fake.fail(fault.fault, { of, isDone: fault.isDone });
      }
    },
  };
}
