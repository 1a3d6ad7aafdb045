import type { RowFilter } from "../language/row-filter.ts";
import type { CallFailure } from "./call.ts";

/** A cell to write: the column's header, and the text as a person would type it into the cell. */
export type SheetCell = { readonly column: string; readonly value: string };

/** The rows that a read takes from the matching ones. `at` is from 0 up to 1, chosen by the step's random numbers. */
export type RowsTaken = { readonly take: "All" | "First" | "Last" } | { readonly take: "Random"; readonly at: number };

/** Reads or writes rows of a spreadsheet, whose first row has the names of the columns. */
export type SheetEffect = {
  readonly kind: "sheet";
  readonly credentialsId: string;
  readonly spreadsheetId: string;
  /** The number of the tab, which is unchanged when the tab is renamed. */
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
  /** The cells of the taken rows, in the order of `columns`; null for a missing column. */
  | {
      readonly kind: "sheet";
      readonly rows: readonly (readonly (string | null)[])[];
      readonly missing?: readonly string[];
    }
  /**
   * `place`: the titles of the document and the tab. `wasThere`: an earlier attempt of the same step had written the
   * row.
   */
  | {
      readonly kind: "sheet";
      readonly place: string;
      readonly written: number;
      readonly wasThere?: true;
      readonly missing?: readonly string[];
    }
  | { readonly kind: "sheet"; readonly failure: CallFailure };

/** A mail of a Google account. Without `from` it is sent from the account's own address. */
export type GmailMail = {
  readonly to: readonly string[];
  readonly from?: string;
  readonly replyTo?: string;
  readonly subject: string;
  readonly body: { readonly html: string } | { readonly text: string };
  /** The thread that the mail belongs to. */
  readonly threadId?: string;
  /** The name of a label for the mail. */
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
