import { describe, expect, test } from "bun:test";
import { Type } from "@sinclair/typebox";
import { needsNoToken, needsToken } from "../../../src/management/operations/authentication.ts";
import { type Operation, operationFor } from "../../../src/management/operations/operation.ts";
import { exampleId, exampleOf, Id, nullable, resource, Timestamp } from "../../../src/platform/http/schemas.ts";

const operation = operationFor("Bots");
const rest = { summary: "Do something", answer: Type.Object({}), handle: () => ({}) };

describe("an operation", () => {
  test("an operation requires the scope write, or the scope read for a GET", () => {
    const scopes = [
      operation({ id: "a", route: "GET /api/v1/things", ...rest }),
      operation({ id: "b", route: "POST /api/v1/things", ...rest }),
      operation({ id: "c", route: "DELETE /api/v1/things", ...rest }),
    ].map(({ auth }) => [auth.kind, auth.scope]);

    expect(scopes).toEqual([
      ["token", "read"],
      ["token", "write"],
      ["token", "write"],
    ]);
  });

  test("an operation parses the ids of its path", () => {
    const { params, errors } = operation({ id: "a", route: "GET /api/v1/folders/:folderId", ...rest });

    expect(Object.keys(params.properties)).toEqual(["folderId"]);
    expect(errors).toContain("folder.not_found");
  });

  test("an operation cannot be defined with an unknown path parameter", () => {
    expect(() => operation({ id: "a", route: "GET /api/v1/things/:thing", ...rest })).toThrow(
      "The path parameter thing",
    );
  });

  test("an operation cannot be defined with a schema for parameters that its path lacks", () => {
    const params = Type.Object({ number: Type.String() });
    expect(() => operation({ id: "a", route: "GET /api/v1/things/:thing", ...rest, params })).toThrow(
      "name different parameters",
    );
  });

  test("an operation inside a workspace can be refused for the caller's role", () => {
    const path = "/api/v1/workspaces/:workspaceId/things" as const;
    const has = ({ errors }: Operation) => errors.includes("workspace.forbidden");

    expect(has(operation({ id: "a", route: `GET ${path}`, ...rest }))).toBe(true);
    expect(has(operation({ id: "a", route: `GET ${path}`, ...rest, auth: needsToken("admin") }))).toBe(false);
    expect(has(operation({ id: "a", route: "GET /api/v1/workspaces/:workspaceId", ...rest }))).toBe(false);
  });

  test("an operation of a bot can be refused for a suspended workspace", () => {
    const route = "GET /api/v1/bots/:botId/things";
    const has = ({ errors }: Operation) => errors.includes("workspace.suspended");

    expect(has(operation({ id: "a", route, ...rest }))).toBe(true);
    expect(has(operation({ id: "a", route, ...rest, auth: needsNoToken }))).toBe(false);
  });
});

describe("the example of a schema", () => {
  const thing = resource("Thing", { id: Id, name: Type.String(), at: nullable(Timestamp) }, "A thing.", {
    name: "One",
    at: null,
  });

  test("the example of a schema has the fields in the order of the schema", () => {
    expect(JSON.stringify(thing.example)).toBe(JSON.stringify({ id: exampleId, name: "One", at: null }));
  });

  test("the example of a schema consists of the examples of its parts", () => {
    const list = Type.Object({ things: Type.Array(thing), kind: Type.Literal("x"), next: Type.Optional(Id) });
    expect(exampleOf(list)).toEqual({ things: [thing.example], kind: "x" });
  });
});
