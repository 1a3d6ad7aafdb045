import { type Static, Type } from "@sinclair/typebox";
import { limits } from "../../../limits/index.ts";
import { valueAt } from "../../interpreter/flow.ts";
import { defineInput } from "../../interpreter/program/block.ts";
import type { View } from "../../interpreter/program/view.ts";
import { blockSchema, marked, option, titled } from "../options.ts";
import examples from "./examples.json";
import { shownOptions } from "./helpers.ts";
import { type Nameable, saidInOrder } from "./matching/said-in-order.ts";
import { exampleLabels, numbered, shownTexts } from "./numbered.ts";

const schema = blockSchema({
  variableId: option.answerVariable,
  rows: marked(
    { title: "Rows", help: "Your questions, from top to bottom." },
    option.list("The questions, from top to bottom.", {
      title: titled("Text", option.text("Text of the row.")),
      isRequired: titled("Must be answered", option.flag("Whether this row must be answered.", true)),
    }),
  ),
  columns: marked(
    { title: "Columns", help: "The possible answers to each row." },
    option.texts("The columns: the possible answers to each row."),
  ),
  labels: option.labels({ button: option.text("Label of the submit button.", "Send") }),
});

const { options } = schema.properties;
const shown = blockSchema({
  ...options.properties,
  columns: Type.Array(Type.String(), { description: "The possible answers to each row." }),
});

export const matrixInput = defineInput({
  type: "matrix input",
  inputType: "matrix",
  takesStartMessage: false,
  summary:
    "Asks several questions with the same possible answers. The answer contains `Row: column` for each answered row, in order.",
  schema,
  shown,
  ask({ options }, view) {
    const { rows, columns } = matrixOf(options, view);
    return shownOptions(options, view, {
      rows: rows.map(({ content, isRequired }) => ({ title: content, isRequired })),
      columns: columns.map(({ content }) => content),
    });
  },
  reply({ options }, view, reply) {
    if (reply?.type !== "text") return { kind: "invalid" };
    const { rows, columns } = matrixOf(options, view);
    const said = saidByRow(rows, columns, reply.text) ?? saidByNumber(rows, columns, reply.text);
    if (said === undefined) return { kind: "invalid" };
    const list = rows.flatMap((row) => {
      const column = said.get(row);
      return column === undefined ? [] : [`${row.content}: ${column.content}`];
    });
    if (rows.some((row) => row.isRequired && !said.has(row))) return { kind: "invalid" };
    return list.length === 0 ? { kind: "skipped" } : { kind: "accepted", content: list.join(", ") };
  },
  offers: () => /^options\.(?:rows|columns)/,
  asKnown(shown) {
    const rows = shownTexts(valueAt(shown, "options", "rows"), "title");
    const said = `${numbered(shownTexts(valueAt(shown, "options", "columns"), ""))}\n\n${rows.join("\n")}`;
    return { said, type: "text input", options: exampleLabels(shown, rows.map(() => "1").join(", ")) };
  },
  advice({ options: { rows = [], columns = [] } = {} }) {
    const { matrixRows, matrixColumns } = limits.inputs;
    return rows.length > matrixRows || columns.length > matrixColumns
      ? `A matrix can have at most ${matrixRows} rows and ${matrixColumns} columns. Visitors do not see the others.`
      : undefined;
  },
  editor: {
    name: "Matrix",
    icon: "grid-3x3",
    words: ["grid", "table", "likert", "survey", "rows", "columns"],
    row: ["{options.rows} × {options.columns}"],
    related: ["rating input", "choice input", "ranking input"],
  },
  examples: examples["matrix input"],
});

type Row = Nameable & { readonly isRequired: boolean };

/** Returns the rows and columns to show, without empty texts and duplicates, up to a limit. */
function matrixOf(options: Static<typeof schema>["options"], view: View) {
  const { rows = [], columns = [] } = options ?? {};
  const texts = new Map<string, Row>();
  for (const { title, isRequired = true } of rows) {
    const content = view.text(title).trim();
    if (content !== "" && !texts.has(content)) texts.set(content, { content, isRequired });
  }
  const answers = new Set(columns.map((column) => view.text(column).trim()).filter((content) => content !== ""));
  return {
    rows: [...texts.values()].slice(0, limits.inputs.matrixRows),
    columns: [...answers].slice(0, limits.inputs.matrixColumns).map((content) => ({ content })),
  };
}

type Said = ReadonlyMap<Row, Nameable>;

function saidByRow(rows: readonly Row[], columns: readonly Nameable[], text: string): Said | undefined {
  const said = new Map<Row, Nameable>();
  for (const line of text.split("\n")) {
    if (line.trim() === "") continue;
    const row = rows
      .filter(({ content }) => line.trimStart().startsWith(`${content}:`))
      .toSorted((a, b) => b.content.length - a.content.length)[0];
    const answer = row && line.trimStart().slice(row.content.length + 1);
    const [column, ...more] = (answer && saidInOrder(columns, answer)) || [];
    if (!row || !column || more.length > 0 || said.has(row)) return undefined;
    said.set(row, column);
  }
  return said;
}

function saidByNumber(rows: readonly Row[], columns: readonly Nameable[], text: string): Said | undefined {
  const numbers = /^\d{1,2}(?:[\s,;]+\d{1,2})*$/.test(text.trim()) ? (text.match(/\d+/g) ?? []).map(Number) : [];
  if (numbers.length !== rows.length || numbers.some((number) => number > columns.length)) return undefined;
  return new Map(
    rows.flatMap((row, index) => {
      const column = columns[(numbers[index] ?? 0) - 1];
      return column === undefined ? [] : [[row, column] as const];
    }),
  );
}
