/**
 * How a form displays the fields of a block. Chats never read this data. Fields that the layout does not list follow
 * below.
 */
export type FormLayout = readonly FormRow[];

export type FormRow = FormCells | FormTabs | FormFold;

/** Adjacent fields in a row. */
export type FormCells = { readonly cells: readonly FormCell[] };

/** A cell of a form: a field, a field that is rendered by a custom widget, or a widget without a field. */
export type FormCell = {
  /** The path of the field, such as `options.webhook.url`. */
  readonly field?: string;
  /** The field's width relative to the other fields in the row. Defaults to 1. A width of 0 fits the content. */
  readonly width?: number;
  /**
   * The field's width in pixels, for fields whose values are always short. The other fields share the rest of the row.
   */
  readonly pixels?: number;
  readonly widget?: FormWidget;
};

/** Groups of rows that are displayed as tabs. */
export type FormTabs = { readonly tabs: readonly FormTab[] };

export type FormTab = {
  readonly title: string;
  readonly rows: FormLayout;
  /** The list whose entries are counted next to the tab's title. */
  readonly counts?: string;
};

/** Rows that few authors need, collapsed under a title. */
export type FormFold = { readonly fold: string; readonly rows: FormLayout };

/** The custom widgets that layouts can use. */
export type FormWidget = (typeof formWidgets)[number];

export const formWidgets = [
  /** A URL field that also accepts a pasted curl command. */
  "callAddress",
  /** The items of a condition, one tab per item. */
  "branches",
  /** Tests a reply against the rules of an input, without a visitor. */
  "check",
  /** The items of a choice block, one per line. */
  "choices",
  /** The types of files that an input accepts, one button per type. */
  "fileKinds",
  /** Buttons that insert another block below a bubble. */
  "follows",
  /** A model name. Suggestions are the models of the account in the neighbouring field. */
  "model",
  /** A button that sends the block's request. The result is shown by the `trial` widget in the same layout. */
  "send",
  /** Sends the block's mail to the author as a trial. */
  "sendOne",
  /** Tests the block: sends its request and displays the response. */
  "trial",
] as const;

/** Creates a row of fields, each given by its path, or by its path and width. */
export function cells(...fields: readonly (string | readonly [field: string, width: number])[]): FormCells {
  return {
    cells: fields.map((one) => (typeof one === "string" ? { field: one } : { field: one[0], width: one[1] })),
  };
}

/** Creates a row with a field that is rendered by a custom widget. */
export function drawn(field: string, widget: FormWidget): FormCells {
  return { cells: [{ field, widget }] };
}
