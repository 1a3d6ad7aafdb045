import { join } from "node:path";
import { compatibleTag } from "../../management/operations/tags.ts";
import { makeDocument } from "../../service/openapi-document.ts";
import { operations } from "../../service/operations.ts";
import { declareTypes, isSchema, type Schema, typeOf } from "./types.ts";

/** Where the types of the builder's calls are written to. */
export const appOperationsFile = join(import.meta.dir, "../../web/app/api/operations.d.ts");

/**
 * The types of what operations take and answer, for the builder: one entry for each, by its method and path. Types alone, so that a page loads nothing
 * for operations that it does not call.
 */
export async function appOperations(): Promise<string> {
  const own = operations.filter(({ tag }) => tag !== compatibleTag);
  const document: { paths?: unknown; components?: { schemas?: unknown } } = await makeDocument(own, {});
  const paths = withoutWords(document.paths);
  const schemas = withoutWords(document.components?.schemas);
  if (!isSchema(paths) || !isSchema(schemas)) throw new Error("The OpenAPI document has no paths or schemas");
  const entries = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(isSchema(methods) ? methods : {}).map(([method, operation]) =>
      entryOf(`${method.toUpperCase()} ${path.replaceAll(/\{(\w+)\}/g, ":$1")}`, isSchema(operation) ? operation : {}),
    ),
  );
  return [
    "// Written by `npm test` and `npm run client` from the OpenAPI document of the service. Git ignores it.",
    declareTypes(schemas),
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

/** Without descriptions: they stand in the document. A field that is called so stays. */
function withoutWords(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutWords);
  if (!isSchema(value)) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, each]) =>
      key === "description" && typeof each === "string" ? [] : [[key, withoutWords(each)]],
    ),
  );
}

if (import.meta.main) {
  await Bun.write(appOperationsFile, await appOperations());
  process.stdout.write(`Written ${appOperationsFile}\n`);
}
