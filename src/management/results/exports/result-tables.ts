import { blocks } from "../../../core/blocks/index.ts";
import { inWalkingOrder } from "../../../core/editing/references/walk.ts";
import { type FlowDocument, textAt } from "../../../core/interpreter/flow.ts";
import { type FieldValues, type ResultField, resultFields } from "../../../core/results/result-fields.ts";
import type { SavedVariable } from "../results.sql.ts";

type TableAnswer = { readonly blockId: string; readonly content: string };

export type TableResult = {
  readonly id: string;
  readonly createdAt: Date;
  readonly variables: readonly SavedVariable[];
  readonly answers: readonly TableAnswer[];
} & FieldValues;

export type Column = {
  readonly title: string;
  /** The kind of the column's values. A cell of a `number` column may still contain other text. */
  readonly kind: "text" | "number" | "moment";
  cell(result: TableResult): string;
};

/**
 * Returns the columns of a table of results, in this order:
 * - the time, the id and some fields of the result
 * - each input of the flow, in the order of a chat
 * - variables without an input
 * - answers to blocks that the flow no longer contains
 * - the remaining fields
 *
 * The column of an input is titled with the input's variable, or otherwise its group. It shows the last answer.
 */
export function tableOf(flow: FlowDocument): readonly Column[] {
  const names = new Map(flow.variables.map(({ id, name }) => [id, name]));
  const titles = new Map<string, number>();
  const unique = (title: string): string => {
    const count = titles.get(title) ?? 0;
    titles.set(title, count + 1);
    return count === 0 ? title : `${title} (${count})`;
  };
  const fieldColumns = (place: "front" | "end") =>
    Object.entries<ResultField>(resultFields).flatMap(([name, { exported }]): Column[] =>
      exported?.at === place
        ? [
            {
              title: unique(exported.title),
              kind: exported.isNumber ? "number" : "text",
              cell: (result) => fieldText(fieldOf(result, name)),
            },
          ]
        : [],
    );
  const fixed: Column[] = [
    { title: unique("Submitted at"), kind: "moment", cell: ({ createdAt }) => createdAt.toISOString() },
    { title: unique("Result"), kind: "text", cell: ({ id }) => id },
    ...fieldColumns("front"),
  ];
  const inputs = flow.groups.flatMap((group) =>
    (group.blocks ?? [])
      .filter(({ type }) => blocks.get(type)?.family === "input")
      .map(({ id, type, options }) => ({ id, type, variableId: textAt(options, "variableId"), group })),
  );
  // Equal titles are numbered in the stored order of the inputs. A change of edges therefore never renames a column,
  // which a program may find by its title.
  const titled = inputs.map(({ id, type, variableId, group }) => {
    const name = variableId === undefined ? undefined : names.get(variableId);
    const column: Column = {
      title: unique(name ?? group.title ?? ""),
      kind: blocks.get(type)?.input?.hasNumbers ? "number" : "text",
      cell: ({ answers }) => answers.findLast(({ blockId }) => blockId === id)?.content ?? "",
    };
    return { group, column };
  });
  const ofGroup = Map.groupBy(titled, ({ group }) => group);
  const asked = inWalkingOrder(flow).flatMap((group) => (ofGroup.get(group) ?? []).map(({ column }) => column));
  const askedVariables = new Set(inputs.map(({ variableId }) => variableId));
  const computed = new Set(
    flow.groups.flatMap((group) =>
      (group.blocks ?? []).map((block) => blocks.get(block.type)?.computedVariable?.(block)),
    ),
  );
  const others = flow.variables
    .filter(({ id }) => !askedVariables.has(id))
    .map(
      ({ id, name }): Column => ({
        title: unique(name),
        kind: computed.has(id) ? "number" : "text",
        cell: ({ variables }) => valueText(variables, id),
      }),
    );
  const known = new Set(inputs.map(({ id }) => id));
  const rest: Column = {
    title: unique("Other answers"),
    kind: "text",
    cell: ({ answers }) =>
      answers
        .filter(({ blockId }) => !known.has(blockId))
        .map(({ blockId, content }) => `${blockId}: ${content}`)
        .join("\n"),
  };
  return [...fixed, ...asked, ...others, rest, ...fieldColumns("end")];
}

function fieldOf(result: FieldValues, name: string): unknown;
function fieldOf(result: Readonly<Record<string, unknown>>, name: string): unknown {
  return result[name];
}

function fieldText(value: unknown): string {
  if (typeof value === "boolean") return value ? "yes" : "no";
  return Array.isArray(value) ? value.join(", ") : String(value ?? "");
}

/** Returns a line of CSV (RFC 4180). With `isGuarded`, a spreadsheet does not interpret any cell as a formula. */
export function csvLine(cells: readonly string[], { isGuarded }: { readonly isGuarded: boolean }): string {
  return `${cells.map((cell) => csvCell(isGuarded ? harmless(cell) : cell)).join(",")}\r\n`;
}

/**
 * Puts an apostrophe before text that a spreadsheet would interpret as a formula. Negative numbers remain numbers.
 * `+49…` is a phone number, which a spreadsheet would convert to 4.9E+12. Some programs split a quoted field at its
 * line breaks, so an `=` at the start of any line is guarded as well. Later lines may begin with "-" or "+", because
 * people often write lists with these signs.
 */
function harmless(text: string): string {
  const mayBeFormula = /^[\s\u200b\ufeff]*[=+\-@\uff1d\uff0b\uff0d\uff20]|^[\t\r\n]/.test(text);
  // Matches each run of blanks only once, with or without a sign, so that the time is linear in the length of the text.
  const lines = text.replace(/([\r\n][\s\u200b\ufeff]*)([=\uff1d]?)/g, (run, blanks, sign) =>
    sign === "" ? run : `${blanks}'${sign}`,
  );
  return mayBeFormula && !/^-\d+([.,]\d+)?$/.test(text) ? `'${lines}` : lines;
}

function csvCell(text: string): string {
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

function valueText(variables: readonly SavedVariable[], id: string): string {
  const value = variables.find((variable) => variable.id === id)?.value ?? "";
  return typeof value === "string" ? value : value.map((entry) => entry ?? "").join(", ");
}
