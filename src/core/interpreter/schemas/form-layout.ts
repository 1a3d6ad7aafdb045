/**
 * How a form shows the fields of a block: data that chats never read. Fields that the layout does not name follow
 * below.
 */
export type FormLayout = readonly FormRow[];

export type FormRow = FormCells | FormTabs | FormFold;

/** Adjacent fields in one row. */
export type FormCells = { readonly cells: readonly FormCell[] };

/** A field, a field that a widget of the block draws, or such a widget without a field. */
export type FormCell = {
  /** The field's path, such as `options.webhook.url`. */
  readonly field?: string;
  /** The field's width relative to the others in the row; absent: 1; 0: as wide as its content. */
  readonly width?: number;
  /** The field's width in pixels, for values that are all short: the other fields in the row share the rest. */
  readonly pixels?: number;
  readonly widget?: FormWidget;
};

/** Rows that share one place, one tab each. */
export type FormTabs = { readonly tabs: readonly FormTab[] };

export type FormTab = {
  readonly title: string;
  readonly rows: FormLayout;
  /** The list whose entries are counted beside the title. */
  readonly counts?: string;
};

/** Rows that few authors need: folded under a title. */
export type FormFold = { readonly fold: string; readonly rows: FormLayout };

/** The widgets that layouts name. */
export type FormWidget = (typeof formWidgets)[number];

export const formWidgets = [
  /** An address field that also splits a pasted curl command. */
  "callAddress",
  /** The items of a condition, a tab each. */
  "branches",
  /** Tries a reply against the rules of an input, in a chat without a visitor. */
  "check",
  /** The items of a block that offers choices, one on each line. */
  "choices",
  /** The kinds of files that an input takes, each as a button. */
  "fileKinds",
  /** Buttons that insert a further block below a bubble. */
  "follows",
  /** The name of a model: the models of the neighbouring account are offered. */
  "model",
  /** The button that sends the block's call: the trial of the same layout shows the answer. */
  "send",
  /** Sends the block's mail to the author, which is also a trial. */
  "sendOne",
  /** Tries the block: sends its call, and shows the answer. */
  "trial",
] as const;

/** A row of fields, each by its path, or by its path and its width. */
export function cells(...fields: readonly (string | readonly [field: string, width: number])[]): FormCells {
  return {
    cells: fields.map((one) => (typeof one === "string" ? { field: one } : { field: one[0], width: one[1] })),
  };
}

/** A field that a widget of the block draws. */
export function drawn(field: string, widget: FormWidget): FormCells {
  return { cells: [{ field, widget }] };
}
