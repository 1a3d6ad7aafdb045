import { isJsonObject, type JsonObject } from "../../src/core/interpreter/flow.ts";
import { type Answer, type Asked, type FakeProvider, startFake } from "./kit.ts";

export type FakeNocodb = FakeProvider & {
  readonly tables: Map<string, JsonObject[]>;
};

/**
 * Starts NocoDB's API version 2, based on https://data-apis-v2.nocodb.com. Requests need the header `xc-token`. Records
 * are read in pages, and created or changed individually or as lists.
 */
export async function startFakeNocodb({ port = 0 } = {}): Promise<FakeNocodb> {
  const tables = new Map<string, JsonObject[]>([["table", []]]);
  const fake = await startFake({
    name: "nocodb",
    port,
    refusal: (status, { headers }) => ({ msg: `Refused with ${status}: ${headers["xc-token"]}` }),
    answer: (asked) => answer(asked, tables),
  });
  return { ...fake, tables };
}

function answer(asked: Asked, tables: Map<string, JsonObject[]>): Answer {
  const key = asked.headers["xc-token"] ?? "";
  if (key === "" || key.startsWith("wrong")) return { status: 401, json: { msg: "Invalid token" } };
  if (asked.path === "/api/v2/meta/bases") return { json: { list: [{ id: "base", title: "Leads" }] } };
  if (asked.path === "/api/v2/meta/bases/base/tables")
    return { json: { list: [...tables.keys()].map((id) => ({ id, title: `Table ${id}` })) } };
  const [, described = ""] = /^\/api\/v2\/meta\/tables\/([^/]+)$/.exec(asked.path) ?? [];
  if (tables.has(described)) {
    const titles = ["Id", ...new Set(tables.get(described)?.flatMap(Object.keys))];
    return { json: { id: described, columns: titles.map((title) => ({ id: `c-${title}`, title })) } };
  }
  const [, tableId = ""] = /^\/api\/v2\/tables\/([^/]+)\/records$/.exec(asked.path) ?? [];
  const rows = tables.get(decodeURIComponent(tableId));
  if (!rows) return { status: 404, json: { msg: `Table '${tableId}' not found` } };
  switch (asked.method) {
    case "GET":
      return { json: pageOf(rows, asked.query) };
    case "POST": {
      const made = listIn(asked).map((row, index) => ({ Id: rows.length + index + 1, ...row }));
      rows.push(...made);
      return { json: made.map(({ Id }) => ({ Id })) };
    }
    case "PATCH": {
      const changes = listIn(asked);
      const lost = changes.find(({ Id }) => !rows.some((row) => row["Id"] === Id));
      if (lost) return { status: 404, json: { msg: `Record '${lost["Id"]}' not found` } };
      for (const change of changes) {
        const at = rows.findIndex((row) => row["Id"] === change["Id"]);
        rows[at] = { ...rows[at], ...change };
      }
      return { json: changes.map(({ Id }) => ({ Id })) };
    }
    default:
      return { status: 405, json: { msg: "Not there" } };
  }
}

function listIn({ text }: Asked): JsonObject[] {
  return [JSON.parse(text)].flat().filter(isJsonObject);
}

/**
 * Returns a page of rows. `limit` is at most 1,000, and `where` supports only `(field,eq,value)`, joined by `~and` or
 * `~or`.
 */
function pageOf(rows: readonly JsonObject[], query: URLSearchParams) {
  const offset = Number(query.get("offset") ?? 0);
  const limit = Math.min(Number(query.get("limit") ?? 25), 1_000);
  const found = rows.filter((row) => matches(row, query.get("where")));
  const list = found.slice(offset, offset + limit);
  return {
    list,
    pageInfo: { totalRows: found.length, pageSize: limit, isLastPage: offset + limit >= found.length },
  };
}

function matches(row: JsonObject, where: string | null): boolean {
  if (!where) return true;
  const isAny = where.includes("~or");
  const found = [...where.matchAll(/\(([^,()]+),eq,([^()]*)\)/g)].map(
    ([, field = "", value = ""]) => String(row[field] ?? "") === value,
  );
  return isAny ? found.some(Boolean) : found.every(Boolean);
}
