import { join } from "node:path";
import { ownDocument } from "./document.ts";
import { declareTypes, isSchema, type Schema, typeOf } from "./types.ts";

/** The path of the generated types for the builder's API calls. */
export const appOperationsFile = join(import.meta.dir, "../../web/app/api/operations.d.ts");

/**
 * Generates the operations' input and output types for the builder, by method and path. The output consists of types
 * only, so that a page loads no code for operations that it does not call.
 */
export async function appOperations(): Promise<string> {
  const { operations, schemas } = await ownDocument({});
  const entries = operations.map(({ method, path, operation }) =>
    entryOf(`${method} ${path.replaceAll(/\{(\w+)\}/g, ":$1")}`, withoutWords(operation)),
  );
  return [
    "// Written by `npm test` and `npm run client` from the OpenAPI document of the service. Git ignores it.",
    declareTypes(withoutWords(schemas)),
    `export interface Operations {\n${entries.join("")}}\n`,
  ].join("\n");
}

function entryOf(name: string, operation: Schema): string {
  const { parameters, requestBody, responses } = operation;
  const all = Array.isArray(parameters) ? parameters.filter(isSchema) : [];
  const answers = isSchema(responses) ? responses : {};
  const fields = [
    ["path", parametersType(all.filter((each) => each["in"] === "path"))],
    ["query", parametersType(all.filter((each) => each["in"] === "query"))],
    ["body", contentType(requestBody) ?? "undefined"],
    ["answer", contentType(answers["200"] ?? answers["201"]) ?? "undefined"],
  ];
  return `  ${JSON.stringify(name)}: {\n${fields.map(([key, type]) => `    ${key}: ${type};\n`).join("")}  };\n`;
}

function parametersType(parameters: readonly Schema[]): string {
  if (parameters.length === 0) return "undefined";
  const fields = parameters.map(({ name, schema, required }) => {
    const optional = required === true ? "" : "?";
    return `${JSON.stringify(name)}${optional}: ${typeOf(schema, "    ")}${required === true ? "" : " | undefined"}`;
  });
  return `{ ${fields.join("; ")} }`;
}

function contentType(place: unknown): string | undefined {
  const content = isSchema(place) ? place["content"] : undefined;
  const json = isSchema(content) ? content["application/json"] : undefined;
  return isSchema(json) ? typeOf(json["schema"], "    ") : undefined;
}

/** Removes descriptions, because the OpenAPI document already contains them. A field named `description` is kept. */
function withoutWords(schema: Schema): Schema {
  const without = (value: unknown): unknown =>
    Array.isArray(value) ? value.map(without) : isSchema(value) ? withoutWords(value) : value;
  const kept = Object.entries(schema).filter(([key, each]) => key !== "description" || typeof each !== "string");
  return Object.fromEntries(kept.map(([key, each]) => [key, without(each)]));
}

if (import.meta.main) {
  await Bun.write(appOperationsFile, await appOperations());
  process.stdout.write(`Written ${appOperationsFile}\n`);
}
