import type { RowFilter } from "../language/row-filter.ts";
import type { CallFailure } from "./call.ts";

/** A cell to write: the column's header, and the text as somebody would type it into the cell. */
export type SheetCell = { readonly column: string; readonly value: string };

/** The rows that are wanted of those that match. `at` is from 0 up to 1, by the step's chance. */
export type RowsTaken = { readonly take: "All" | "First" | "Last" } | { readonly take: "Random"; readonly at: number };

/** Reads or writes rows of a spreadsheet, whose first row has the names of the columns. */
export type SheetEffect = {
  readonly kind: "sheet";
  readonly credentialsId: string;
  readonly spreadsheetId: string;
  /** The number of the tab, which stays when it is renamed. */
  readonly sheetId: string;
  /** For all calls, with the pauses between them. */
  readonly timeoutMs: number;
  readonly act:
    | {
        readonly kind: "get";
        readonly filter?: RowFilter;
        readonly columns: readonly string[];
        readonly rows: RowsTaken;
      }
    | { readonly kind: "insert"; readonly cells: readonly SheetCell[] }
    | { readonly kind: "update"; readonly filter: RowFilter; readonly cells: readonly SheetCell[] };
};

/** The outcome. `missing`: columns that the sheet does not have. */
export type SheetReport =
  /** The cells of the rows that were taken, in the order of `columns`; null for a column that is missing. */
  | {
      readonly kind: "sheet";
      readonly rows: readonly (readonly (string | null)[])[];
      readonly missing?: readonly string[];
    }
  /**
   * `place`: the titles of the document and the tab. `wasThere`: an earlier attempt of the same step had written it.
   */
  | {
      readonly kind: "sheet";
      readonly place: string;
      readonly written: number;
      readonly wasThere?: true;
      readonly missing?: readonly string[];
    }
  | { readonly kind: "sheet"; readonly failure: CallFailure };

/** A mail of a Google account. Without `from` it has the account's own address. */
export type GmailMail = {
  readonly to: readonly string[];
  readonly from?: string;
  readonly replyTo?: string;
  readonly subject: string;
  readonly body: { readonly html: string } | { readonly text: string };
  /** The thread that it answers in. */
  readonly threadId?: string;
  /** The name of a label that it gets. */
  readonly label?: string;
  /** Addresses of files of this chat. */
  readonly attachments?: readonly string[];
};

/** Sends a mail within the step. */
export type GmailEffect = {
  readonly kind: "gmail";
  readonly credentialsId: string;
  readonly mail: GmailMail;
  readonly timeoutMs: number;
};

/** `notes` are sentences for the author: the parts that were not done although the mail was sent. */
export type GmailReport =
  | { readonly kind: "gmail"; readonly threadId: string; readonly notes?: readonly string[] }
  | { readonly kind: "gmail"; readonly failure: CallFailure };
