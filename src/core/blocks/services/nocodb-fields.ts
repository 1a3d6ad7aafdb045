import { limits } from "../../../limits/index.ts";
import { type FlowBlock, isJsonObject, textAt, valueAt } from "../../interpreter/flow.ts";
import { segment } from "../../interpreter/program/call.ts";
import { optionsIn, type RemoteFields, type RemoteStep } from "../../interpreter/program/remote-field.ts";

const credentialsType = "nocodb";

/** The editor's suggestions: tables that the token can read, and the fields and views of a table. */
export const nocodbFields: RemoteFields = {
  tableId: { credentialsType, next: (_, answers) => tablesAfter(answers) },
  viewId: {
    credentialsType,
    next: (block, answers) => ofTable(block, answers, { path: "/views", list: "list", key: "id" }),
  },
  ...Object.fromEntries(
    ["filter.comparisons.input", "responseMapping.fieldName", "updates.fieldName", "fields.key"].map((field) => [
      field,
      {
        credentialsType,
        next: (block: FlowBlock, answers: readonly unknown[]) =>
          ofTable(block, answers, { path: "", list: "columns", key: "title" }),
      },
    ]),
  ),
};

/** Requests the bases first, then the tables of each base. */
function tablesAfter([first, ...others]: readonly unknown[]): RemoteStep {
  if (first === undefined) return { ask: { method: "GET", path: "/api/v2/meta/bases" } };
  const listed = valueAt(first, "list");
  if (!Array.isArray(listed)) return { unreadable: true };
  const bases = listed.filter(isJsonObject).slice(0, limits.credentials.optionCalls - 1);
  const next = bases[others.length];
  if (next) return { ask: { method: "GET", path: `/api/v2/meta/bases/${segment(textAt(next, "id") ?? "")}/tables` } };
  const options = others.flatMap((answer, index) => {
    const base = bases.length > 1 ? `${textAt(bases[index], "title") ?? ""} / ` : "";
    const tables = optionsIn(valueAt(answer, "list"), { value: "id", label: "title" }) ?? [];
    return tables.map(({ value, label }) => ({ value, label: `${base}${label}` }));
  });
  return { options };
}

type Part = { readonly path: string; readonly list: string; readonly key: string };

/** Requests a list (fields or views) of the table that the block names. */
function ofTable(block: FlowBlock, [answer]: readonly unknown[], { path, list, key }: Part): RemoteStep {
  const tableId = textAt(block, "options", "tableId") ?? "";
  if (tableId === "" || tableId.includes("{{")) return { missing: "tableId" };
  if (answer === undefined) return { ask: { method: "GET", path: `/api/v2/meta/tables/${segment(tableId)}${path}` } };
  const options = optionsIn(valueAt(answer, list), { value: key, label: "title" });
  return options ? { options } : { unreadable: true };
}
