import { Type } from "@sinclair/typebox";
import { limits } from "../../../limits/index.ts";
import { isJsonObject, valueAt } from "../../interpreter/flow.ts";
import type { BlockBase } from "../../interpreter/program/block.ts";
import { segment } from "../../interpreter/program/call.ts";
import { continueAfter, type Outcome, type StepLog } from "../../interpreter/program/outcome.ts";
import type { Write } from "../../interpreter/program/variables.ts";
import type { View } from "../../interpreter/program/view.ts";
import { readKnown } from "../../interpreter/schemas/schema.ts";
import { type Action, defineAction, defineActions, type Reported } from "../action.ts";
import { failedWith, logged } from "../logged.ts";
import { missingCredentials } from "../models/call.ts";
import { marked, option, titled } from "../options.ts";
import { answerOf, serviceCall } from "../service-answer.ts";
import { objectOf } from "./deferred.ts";
import { nocodbFields } from "./nocodb-fields.ts";
import { type Filter, filterOption, isWanted, type ReadFilter, readFilter, whereOf } from "./nocodb-filter.ts";

const name = "NocoDB";
const context = "While calling NocoDB";

const place = {
  credentialsId: titled("Credentials", option.credentials("Id of the workspace's credentials of the type `nocodb`.")),
  tableId: titled(
    "Table",
    option.remote("Id of the table, which is part of the table's URL and begins with `m`.", ["credentialsId"]),
  ),
};

const fieldOption = titled("Field", option.remote("Name of the field.", ["credentialsId", "tableId"]));

const searching = {
  ...place,
  viewId: marked(
    { title: "View", isAdvanced: true, help: "Only records of this view are read." },
    option.remote("Id of a view. Only records of the view are read.", ["credentialsId", "tableId"]),
  ),
  filter: filterOption,
};

type Place = { readonly credentialsId?: string; readonly tableId?: string };
type Searching = Place & { readonly viewId?: string; readonly filter?: Filter };

const search = defineAction({
  name: "Search Records",
  options: {
    ...searching,
    returnType: titled(
      "Records",
      option.word(["All", "First", "Last", "Random"], "The found records to save in variables.", "All"),
    ),
    responseMapping: marked(
      { title: "Save in variables", help: "Several records are saved as a list." },
      option.list(
        "Fields to save in variables: the value of one record, or a list with the values of several records.",
        {
          fieldName: fieldOption,
          variableId: option.writtenVariable("Id of the variable to set."),
        },
      ),
    ),
  },
  run: (block, given, view) =>
    startSearch(block, given, view, {
      fields: (given.responseMapping ?? []).flatMap(({ fieldName }) => fieldName ?? []),
      isFirst: given.returnType === "First",
    }),
  report: (block, { returnType, responseMapping = [] }, view, reported) =>
    afterPage(block, reported, view, (found) => {
      if (found.length === 0) return noneFound(block);
      const taken = chosen(found, returnType, view);
      const logs: StepLog[] = [];
      const writes: Write[] = [];
      for (const { fieldName, variableId } of responseMapping) {
        if (!fieldName || !variableId) continue;
        if (!found.some((row) => row.has(fieldName))) {
          logs.push({ description: `The NocoDB records have no field "${fieldName}"`, context });
          continue;
        }
        const values = taken.map((row) => row.get(fieldName) ?? null);
        writes.push({ variableId, value: values.length === 1 ? (values[0] ?? null) : values });
      }
      return { ...continueAfter(block), writes, logs };
    }),
});

const fieldsOption = titled(
  "Fields",
  option.list("The values of the new record. Fields without a value are omitted.", {
    key: fieldOption,
    value: option.text("Value of the field."),
  }),
);

const create = defineAction({
  name: "Create Record",
  writes: true,
  options: { ...place, fields: fieldsOption },
  run(block, given, view) {
    const target = targetOf(block, given, view);
    if ("instead" in target) return target.instead;
    const fields = objectOf(given.fields, view);
    if (!fields) return failedWith(block, { description: "The new NocoDB record has no values", context });
    const request = { method: "POST", path: target.path, body: fields } as const;
    return { kind: "perform", effect: serviceCall(block, target.credentialsId, request) };
  },
  report(block, _given, _view, { report }) {
    const answer = answerOf(block, report, name);
    return "instead" in answer ? answer.instead : continueAfter(block);
  },
});

const updatesOption = titled(
  "Changes",
  option.list("The new values of the found records.", {
    fieldName: fieldOption,
    value: option.text("New value of the field."),
  }),
);

const update = defineAction({
  name: "Update Existing Record",
  writes: true,
  options: { ...searching, updates: updatesOption },
  run(block, given, view) {
    if (changesOf(given.updates, view) === undefined)
      return failedWith(block, { description: "The NocoDB update has no changes", context });
    // As in Google Sheets, an update requires a filter. Without a filter, every record would be changed.
    if (readFilter(given.filter ?? {}, view).compared.length === 0)
      return failedWith(block, { description: "The NocoDB update requires a filter", context });
    return startSearch(block, given, view, { fields: ["Id", "id"], isFirst: false });
  },
  report(block, given, view, reported) {
    const rest = readKnown(changingMemo, reported.memo);
    if (!rest) {
      return afterPage(block, reported, view, (found) => {
        if (found.length === 0) return noneFound(block);
        const ids = found.map((row) => row.get("Id") ?? row.get("id") ?? "");
        if (ids.includes("")) return failedWith(block, { description: "The NocoDB records have no Id", context });
        return changeNext(block, given, view, ids.slice(0, limits.outgoing.recordsChanged));
      });
    }
    const answer = answerOf(block, reported.report, name);
    if ("instead" in answer) return answer.instead;
    return rest.ids.length === 0 ? continueAfter(block) : changeNext(block, given, view, rest.ids);
  },
});

const actions: readonly Action[] = [search, create, update];

export const nocodb = defineActions({
  type: "nocodb",
  summary: "Searches, creates or changes records of a NocoDB table.",
  actions,
  remoteFields: nocodbFields,
  editor: {
    name: "NocoDB",
    icon: "database",
    words: ["table", "spreadsheet", "airtable", "record", "row", "database"],
    row: ["{options.action}"],
    related: [],
  },
});

type Target = { readonly path: string; readonly credentialsId: string };

function targetOf(block: BlockBase, given: Place, view: View): Target | { readonly instead: Outcome } {
  const [credentialsId, tableId] = [view.text(given.credentialsId), view.text(given.tableId).trim()];
  if (credentialsId === "") return { instead: failedWith(block, missingCredentials(block)) };
  if (tableId === "") return { instead: failedWith(block, { description: "No NocoDB table is chosen", context }) };
  return { path: `/api/v2/tables/${segment(tableId)}/records`, credentialsId };
}

type Row = ReadonlyMap<string, string | null>;

const searchMemo = Type.Object({
  page: Type.Integer(),
  filter: Type.Unsafe<ReadFilter>(Type.Unknown()),
  target: Type.Unsafe<Target>(Type.Unknown()),
  viewId: Type.String(),
  /** The names of the fields to store. Other fields are dropped because a table may have thousands of long fields. */
  fields: Type.Array(Type.String()),
  isFirst: Type.Boolean(),
  found: Type.Array(Type.Array(Type.Unsafe<readonly [string, string | null]>(Type.Unknown()))),
});
const changingMemo = Type.Object({ ids: Type.Array(Type.String()) });

type Searched = (typeof searchMemo)["static"];

function startSearch(
  block: BlockBase,
  given: Searching,
  view: View,
  kept: Pick<Searched, "fields" | "isFirst">,
): Outcome {
  const target = targetOf(block, given, view);
  if ("instead" in target) return target.instead;
  const filter = readFilter(given.filter ?? {}, view);
  return askPage(block, { page: 0, filter, target, viewId: view.text(given.viewId).trim(), ...kept, found: [] });
}

function askPage(block: BlockBase, memo: Searched): Outcome {
  const { page, filter, target, viewId } = memo;
  const where = whereOf(filter);
  const query = [
    ["limit", String(limits.outgoing.recordsPerPage)],
    ["offset", String(page * limits.outgoing.recordsPerPage)],
    ...(where === undefined ? [] : [["where", where]]),
    ...(viewId === "" ? [] : [["viewId", viewId]]),
  ].map(([key = "", value = ""]) => [key, value] as const);
  const effect = serviceCall(block, target.credentialsId, { method: "GET", path: target.path, query });
  return { kind: "perform", effect, memo };
}

/**
 * Processes a page of records and requests the next page, if any. The block continues with all records found so far
 * after the last page, at the page limit, or at the first match if only one is required.
 */
function afterPage(
  block: BlockBase,
  { report, memo }: Reported,
  view: View,
  ended: (found: readonly Row[]) => Outcome,
): Outcome {
  const answer = answerOf(block, report, name);
  if ("instead" in answer) return answer.instead;
  const searched = readKnown(searchMemo, memo);
  const list = valueAt(answer.json, "list");
  if (!searched || !Array.isArray(list))
    return failedWith(block, { description: "NocoDB's response cannot be read", context });
  const { filter, fields, isFirst } = searched;
  const wanted = list
    .filter(isJsonObject)
    .map((record) => Object.entries(record).map(([key, value]) => [key, textOf(value)] as const))
    .filter((row) => isWanted(new Map(row), filter, view));
  const found = [...searched.found, ...wanted.map((row) => row.filter(([key]) => fields.includes(key)))];
  const page = searched.page + 1;
  const isEnough = isFirst && found.length > 0;
  const isLast = isEnough || valueAt(answer.json, "pageInfo", "isLastPage") !== false || list.length === 0;
  if (!isLast && page < limits.outgoing.recordPages) return askPage(block, { ...searched, page, found });
  const outcome = ended(found.map((row) => new Map(row)));
  return isLast ? outcome : { ...outcome, logs: [...(outcome.logs ?? []), tooMany] };
}

const tooMany: StepLog = {
  status: "info",
  description: `The NocoDB table has more records, but only the first ${limits.outgoing.recordPages * limits.outgoing.recordsPerPage} were read`,
  context,
};

function textOf(value: unknown): string | null {
  if (value === null || value === undefined || typeof value === "string") return value ?? null;
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}

function noneFound(block: BlockBase): Outcome {
  return logged(block, { status: "info", description: "Couldn't find any records matching the filter", context });
}

function chosen(found: readonly Row[], returnType: string | undefined, view: View): readonly Row[] {
  switch (returnType) {
    case "First":
      return found.slice(0, 1);
    case "Last":
      return found.slice(-1);
    case "Random": {
      const at = Math.floor(view.random.next() * found.length);
      return found.slice(at, at + 1);
    }
    default:
      return found;
  }
}

type Updates = readonly { readonly fieldName?: string; readonly value?: string }[] | undefined;

function changesOf(updates: Updates, view: View): Record<string, string> | undefined {
  return objectOf(
    updates?.map(({ fieldName = "", value = "" }) => ({ key: fieldName, value })),
    view,
  );
}

/** Requests the update of the next batch of records. */
function changeNext(
  block: BlockBase,
  given: Searching & { updates?: Updates },
  view: View,
  ids: readonly string[],
): Outcome {
  const target = targetOf(block, given, view);
  if ("instead" in target) return target.instead;
  const changes = changesOf(given.updates, view) ?? {};
  const body = ids.slice(0, limits.outgoing.recordsAtOnce).map((id) => ({ ...changes, Id: idIn(id) }));
  const effect = serviceCall(block, target.credentialsId, { method: "PATCH", path: target.path, body });
  return { kind: "perform", effect, memo: { ids: ids.slice(limits.outgoing.recordsAtOnce) } };
}

function idIn(id: string): number | string {
  return /^\d{1,15}$/.test(id) ? Number(id) : id;
}
