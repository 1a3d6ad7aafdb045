import type { DocumentedOperation } from "./document.ts";
import { comment, declaration, field, isSchema, type Schema, typeOf } from "./types.ts";

/** An operation of the document in the form that the generator uses. */
type Described = ReturnType<typeof describe>;

/** Generates the input and output types of operations, and a class with a method for each operation. */
export function declareOperations(documented: readonly DocumentedOperation[]): string {
  const operations = documented.map(describe);
  const types = operations.map((operation) => `${inputOf(operation)}\n${outputOf(operation)}`);
  return `${types.join("\n")}\n${client(operations)}`;
}

function describe({ path, method, operation }: DocumentedOperation) {
  const { operationId, summary, description, parameters, requestBody, responses, servers } = operation;
  const answer = contentOf(at(responses, "200"));
  return {
    ...{ id: String(operationId), method, path },
    words: typeof description === "string" ? `${summary}.\n\n${description}` : `${summary}.`,
    parameters: Array.isArray(parameters) ? parameters.filter(isSchema) : [],
    body: bodyOf(requestBody),
    // Undefined if the operation has no JSON response with the status 200.
    answer: answer?.kind === "json" ? answer.schema : undefined,
    isChat: servers !== undefined,
  };
}

function bodyOf(requestBody: unknown) {
  const content = contentOf(requestBody);
  return content && { ...content, isRequired: at(requestBody, "required") === true };
}

function contentOf(place: unknown): { kind: "json" | "raw"; schema: Schema } | undefined {
  const content = at(place, "content");
  if (!isSchema(content)) return undefined;
  const json = at(at(content, "application/json"), "schema");
  return isSchema(json) ? { kind: "json", schema: json } : { kind: "raw", schema: {} };
}

/** The types of bodies that are sent unchanged. */
const rawBody = "Blob | ArrayBuffer | string";

function inputOf({ id, parameters, body }: Described): string {
  const fields = inputParameters(parameters).map(({ name, schema, isRequired }) =>
    field(name, schema, { isRequired, indent: "  " }),
  );
  if (body) {
    const optional = body.isRequired ? "" : "?";
    const type = body.kind === "raw" ? rawBody : typeOf(body.schema, "  ");
    fields.push(`  body${optional}: ${type}${body.isRequired ? "" : " | undefined"};\n`);
  }
  const name = `${capital(id)}Input`;
  const type = fields.length === 0 ? "Record<string, never>" : `{\n${fields.join("")}}`;
  return `/** Parameters of \`${id}\`. */\nexport type ${name} = ${type};\n`;
}

/** Returns the path and query parameters. */
function inputParameters(parameters: readonly Schema[]): { name: string; schema: Schema; isRequired: boolean }[] {
  return parameters
    .filter((parameter) => parameter["in"] !== "header")
    .map((parameter) => {
      const { name, description, required } = parameter;
      const schema = at(parameter, "schema");
      const own = { ...(isSchema(schema) ? schema : {}), description };
      return { name: String(name), schema: own, isRequired: required === true };
    });
}

function outputOf({ id, answer }: Described): string {
  if (!answer) return "";
  return `/** Response of \`${id}\`. */\n${declaration(`${capital(id)}Output`, answer)}`;
}

function client(operations: readonly Described[]): string {
  return [
    "/** A method for each operation of the service. */",
    "export abstract class Operations {",
    "  protected abstract call<Answer>(operation: Operation, input: CallInput, options: CallOptions): Promise<Answer>;",
    "  protected abstract open(operation: Operation, input: CallInput, options: CallOptions): Promise<Response>;",
    "  protected abstract each<Entry>(",
    "    page: (cursor: string | undefined) => Promise<{ readonly entries: readonly Entry[]; readonly next: string | undefined }>,",
    "  ): AsyncGenerator<Entry, void, undefined>;",
    "",
    ...operations.flatMap((operation) => [method(operation), ...pagesOf(operation)]),
    "}",
    "",
    ...operations.map(
      ({ id, ...operation }) => `const ${id}Operation: Operation = ${JSON.stringify(calledAs(operation))};`,
    ),
    "",
  ].join("\n");
}

function method({ id, words, answer, parameters, body }: Described): string {
  const given = `input: ${capital(id)}Input${isOptional({ parameters, body }) ? " = {}" : ""}, options: CallOptions = {}`;
  const [result, how] = answer ? [`${capital(id)}Output`, "call"] : ["Response", "open"];
  return `${comment({ description: words }, "  ")}  ${id}(${given}): Promise<${result}> {\n    return this.${how}(${id}Operation, input, options);\n  }\n`;
}

/**
 * Generates the method that iterates over all entries of a paginated list. Returns an empty list for other operations.
 */
function pagesOf({ id, answer, parameters, body }: Described): string[] {
  const properties = at(answer, "properties");
  const lists = isSchema(properties) ? Object.entries(properties) : [];
  const key = lists.find(([, schema]) => at(schema, "type") === "array")?.[0];
  const isPaged = lists.some(([name]) => name === "nextCursor") && id.startsWith("list");
  if (!isPaged || key === undefined) return [];
  const name = `all${id.slice("list".length)}`;
  const given = `input: ${capital(id)}Input${isOptional({ parameters, body }) ? " = {}" : ""}, options: CallOptions = {}`;
  return [
    [
      `  /** Every entry of \`${id}\`, page after page, as it is asked for. */`,
      `  ${name}(${given}): AsyncGenerator<${capital(id)}Output["${key}"][number], void, undefined> {`,
      "    return this.each(async (cursor) => {",
      `      const page = await this.${id}({ ...input, cursor: cursor ?? input.cursor }, options);`,
      `      return { entries: page.${key}, next: page.nextCursor };`,
      "    });",
      "  }",
      "",
    ].join("\n"),
  ];
}

function calledAs({ method: verb, path, parameters, body, isChat }: Omit<Described, "id">): object {
  const hasKey = parameters.some((parameter) => parameter["name"] === "Idempotency-Key");
  return { method: verb, path, isChat, hasKey, ...(body && { body: body.kind }) };
}

function isOptional({ parameters, body }: Pick<Described, "parameters" | "body">): boolean {
  return !body?.isRequired && !inputParameters(parameters).some(({ isRequired }) => isRequired);
}

function capital(id: string): string {
  return `${id.charAt(0).toUpperCase()}${id.slice(1)}`;
}

function at(value: unknown, key: string): unknown {
  return isSchema(value) ? value[key] : undefined;
}
