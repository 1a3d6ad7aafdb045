import type { RowFilter } from "../language/row-filter.ts";
import type { CallFailure } from "./call.ts";

/** A cell to write: the header of its column, and its text as a person would type it. */
export type SheetCell = { readonly column: string; readonly value: string };

/**
 * The rows to take from the matching rows. `at` selects the random row. It is at least 0 and less than 1, and comes
 * from the step's random numbers.
 */
export type RowsTaken = { readonly take: "All" | "First" | "Last" } | { readonly take: "Random"; readonly at: number };

/** Reads or writes rows of a spreadsheet whose first row contains the column names. */
export type SheetEffect = {
  readonly kind: "sheet";
  readonly credentialsId: string;
  readonly spreadsheetId: string;
  /** The numeric id of the sheet, which does not change when the sheet is renamed. */
  readonly sheetId: string;
  /** The total time in ms for all calls, including the pauses between them. */
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

/** The outcome of a sheet effect. `missing`: columns that the sheet does not have. */
export type SheetReport =
  /** The cells of the selected rows, in the order of `columns`. Cells of a missing column are null. */
  | {
      readonly kind: "sheet";
      readonly rows: readonly (readonly (string | null)[])[];
      readonly missing?: readonly string[];
    }
  /**
   * The number of written rows. `place`: the titles of the document and the sheet. `wasThere`: whether an earlier
   * attempt of the same step had already written the row.
   */
  | {
      readonly kind: "sheet";
      readonly place: string;
      readonly written: number;
      readonly wasThere?: true;
      readonly missing?: readonly string[];
    }
  | { readonly kind: "sheet"; readonly failure: CallFailure };

/** A mail to send from a Google account. Without `from`, the account's own address is used. */
export type GmailMail = {
  readonly to: readonly string[];
  readonly from?: string;
  readonly replyTo?: string;
  readonly subject: string;
  readonly body: { readonly html: string } | { readonly text: string };
  readonly threadId?: string;
  /** The name of the label to apply to the mail. */
  readonly label?: string;
  /** The addresses of files of this chat. */
  readonly attachments?: readonly string[];
};

/** Sends a mail within the step. */
export type GmailEffect = {
  readonly kind: "gmail";
  readonly credentialsId: string;
  readonly mail: GmailMail;
  readonly timeoutMs: number;
};

/**
 * The outcome of sending a mail. `notes` are sentences for the author about parts that failed although the mail was
 * sent.
 */
export type GmailReport =
  | { readonly kind: "gmail"; readonly threadId: string; readonly notes?: readonly string[] }
  | { readonly kind: "gmail"; readonly failure: CallFailure };
