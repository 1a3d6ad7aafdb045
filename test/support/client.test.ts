import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { errorCatalogue } from "../../src/errors.ts";
import { operations } from "../../src/service/operations.ts";
import { createClient, valueAt } from "./client.ts";
import { contractGaps, contractVariable } from "./contract.ts";

const id = "06ey3k2m5q8r1t4v7x0z9w2b5d";
const time = "2026-08-22T06:05:06.000Z";
const folder = { id, createdAt: time, updatedAt: time, name: "", parentFolderId: null, workspaceId: id };
const refusal = { code: "folder.not_found", status: 404, message: "Folder not found.", requestId: "r" };
const headers = { "X-Request-Id": "r" };

// The mocked responses of these tests must not count as covered operations.
const folderOfRun = process.env[contractVariable];
beforeAll(() => {
  delete process.env[contractVariable];
});
afterAll(() => {
  if (folderOfRun !== undefined) process.env[contractVariable] = folderOfRun;
});

/** Returns how the client handles a mocked response to a request for a folder. */
function met(body: unknown, init: { status?: number; headers?: Record<string, string> } = {}) {
  const client = createClient({ handle: async () => Response.json(body, { headers, ...init }) });
  return client.get(`/api/v1/folders/${id}`, { token: "x" });
}

describe("the contract-checking client", () => {
  test("the contract-checking client accepts documented responses", async () => {
    expect((await met({ folder, more: 1 })).at("folder.id")).toBe(id);
    expect((await met(refusal, { status: 404, headers })).at("code")).toBe("folder.not_found");
  });

  test.each([
    ["lacks a documented key", { folder: { ...folder, parentFolderId: undefined } }],
    ["has a value of another type", { folder: { ...folder, name: null } }],
    ["has a time in another format", { folder: { ...folder, createdAt: "2026-08-22T06:05:06Z" } }],
    ["is empty", {}],
  ])("the contract-checking client rejects a successful response that %s", async (_, body) => {
    await expect(met(body)).rejects.toThrow("breaks its schema");
  });

  test.each([
    ["is not documented for the operation", { ...refusal, code: "bot.not_found" }, "does not document"],
    ["is an internal error", { ...refusal, code: "server.internal", status: 500 }, "does not document"],
    ["is not in the catalogue", { ...refusal, code: "folder.lost" }, "breaks its schema"],
    ["has another status than the catalogue", { ...refusal, status: 403 }, "folder.not_found"],
    ["has another request id than the header", { ...refusal, requestId: "other" }, "two request ids"],
    ["has no message", { ...refusal, message: "" }, "breaks its schema"],
    ["contains another key than the error format", { ...refusal, stack: "at …" }, "breaks its schema"],
  ])("the contract-checking client rejects an error response that %s", async (_, body, message) => {
    await expect(met(body, { status: 404, headers })).rejects.toThrow(message);
  });

  test("the contract-checking client rejects wrong request id and CORS headers", async () => {
    await expect(met({ folder }, { headers: {} })).rejects.toThrow("without X-Request-Id");
    const open = { ...headers, "Access-Control-Allow-Origin": "*" };
    await expect(met({ folder }, { headers: open })).rejects.toThrow("CORS");
  });

  test("the contract-checking client rejects an undocumented operation", async () => {
    const client = createClient({ handle: async () => Response.json({}, { headers }) });
    await expect(client.get("/api/v1/secret")).rejects.toThrow("not documented");
  });
});

describe("valueAt", () => {
  test("valueAt follows keys and positions, and returns every entry for *", () => {
    const value = { list: [{ name: "a" }, { name: "b" }], __proto__: { hidden: 1 } };
    expect(valueAt(value, "list.1.name")).toBe("b");
    expect(valueAt(value, "list.*.name")).toEqual(["a", "b"]);
    expect(valueAt(value, "hidden")).toBeUndefined();
    expect(valueAt(value, "list.7.name")).toBeUndefined();
  });
});

describe("the gaps of a run", () => {
  const notes = mkdtempSync(join(tmpdir(), "parley-contract-"));
  afterAll(() => rmSync(notes, { recursive: true, force: true }));

  test("contract gaps are operations never successful and errors never returned", () => {
    const met = [...operations.map(({ method, path }) => `${method} ${path}`), ...Object.keys(errorCatalogue)];
    const missed = new Set(["GET /api/v1/workspaces", "folder.cycle"]);
    const noted = met.filter((line) => !missed.has(line));
    writeFileSync(join(notes, "1.txt"), noted.slice(0, 9).join("\n"));
    writeFileSync(join(notes, "2.txt"), noted.slice(9).join("\n"));
    expect(contractGaps(notes)).toEqual([
      "GET /api/v1/workspaces is documented, but no test saw it succeed",
      "folder.cycle is in the catalogue, but no test met it",
    ]);
  });
});
