import { type Static, type TOptional, type TSchema, Type, TypeGuard } from "@sinclair/typebox";
import { limits } from "../../limits/index.ts";

export type ResultField = {
  /** The field's column in `results`, which contains a boolean, a number, a text or a list of texts. */
  readonly column: string;
  /**
   * The subject of the field's value. Erasing a result clears the fields about the visitor. Copying a bot with its
   * results copies all fields except those about the bot.
   */
  readonly about: "visitor" | "chat" | "bot";
  /** The field's schema in API responses. Absent if the field is only a filter. */
  readonly answer?: TSchema;
  /** Whether clients of the reference product also receive the field. */
  readonly isForExistingClients?: true;
  /** The field's value in examples of the documentation. */
  readonly example?: unknown;
  /**
   * Values that a person may set: a text or a list of texts. The column is null until a person sets a value. Absent if
   * only the service writes the field.
   */
  readonly written?: {
    readonly schema: TSchema & { readonly static: string | string[] | null };
    /** Returns an error message for a list entry that matches the schema but is not allowed. */
    readonly entryProblem?: (entry: string) => string | undefined;
  };
  /**
   * The query parameter that filters lists and exports by this field. For a field that contains a list, one equal entry
   * is enough.
   */
  readonly filter?: { readonly name: string; readonly schema: TSchema };
  /**
   * The field's column in CSV and Excel exports: its title, whether it comes before or after the answers, and whether
   * its cells are numbers.
   */
  readonly exported?: { readonly title: string; readonly at: "front" | "end"; readonly isNumber?: true };
};

/**
 * The data that the service and people add to a result, in addition to its time, variables and answers. Each field
 * includes its filter and its export column, if it has them.
 */
export const resultFields = {
  isCompleted: {
    column: "is_completed",
    about: "chat",
    answer: Type.Boolean({ description: "Whether the chat is complete, with at least one answer." }),
    isForExistingClients: true,
    example: true,
    filter: {
      name: "isCompleted",
      schema: Type.Boolean({
        description: "Returns only complete results (`true`), or only incomplete results (`false`).",
      }),
    },
    exported: { title: "Completed", at: "front" },
  },
  hasStarted: {
    column: "has_started",
    about: "chat",
    answer: Type.Boolean({ description: "Whether the visitor answered." }),
    isForExistingClients: true,
    example: true,
    filter: {
      name: "hasStarted",
      schema: Type.Boolean({
        description: "Returns only results with an answer (`true`), or only results without an answer (`false`).",
      }),
    },
  },
  isArchived: {
    column: "is_archived",
    about: "chat",
    answer: Type.Boolean({ description: "Whether the result was deleted. Always false in lists." }),
    isForExistingClients: true,
    example: false,
  },
  tags: {
    column: "tags",
    about: "visitor",
    answer: Type.Array(Type.String(), { description: "Tags that people have added to the result." }),
    isForExistingClients: true,
    example: ["lead"],
    written: {
      schema: Type.Array(Type.String({ maxLength: limits.resultNotes.tagCharacters }), {
        maxItems: limits.resultNotes.tags,
        description: "Texts without a comma and without a blank at either end. Duplicates are removed.",
      }),
      entryProblem: (tag: string) =>
        tag === "" || tag !== tag.trim() || tag.includes(",")
          ? "must have at least one character, no comma, and no blank at either end"
          : undefined,
    },
    filter: {
      name: "tag",
      schema: Type.String({
        maxLength: limits.resultNotes.tagCharacters,
        description: "Returns only results with this tag, in its exact spelling.",
      }),
    },
    exported: { title: "Tags", at: "end" },
  },
  note: {
    column: "note",
    about: "visitor",
    answer: Type.Union([Type.String({ description: "A note on the result." }), Type.Null()]),
    isForExistingClients: true,
    example: "Called back",
    written: {
      schema: Type.Union([
        Type.String({ maxLength: limits.resultNotes.noteCharacters, description: "A note on the result." }),
        Type.Null(),
      ]),
    },
    exported: { title: "Note", at: "end" },
  },
  publicationNumber: {
    column: "publication_number",
    about: "bot",
    answer: Type.Union([Type.Integer(), Type.Null()], {
      description:
        "Number of the publication on which the result's first chat started. Null for copied results, for imported results whose version is unknown, and for results of a release that did not record it.",
    }),
    example: 3,
    filter: {
      name: "version",
      schema: Type.Integer({
        minimum: 1,
        maximum: 2_147_483_647,
        description: "Returns only results that started on the publication with this number.",
      }),
    },
    exported: { title: "Version", at: "end", isNumber: true },
  },
  isPaid: {
    column: "is_paid",
    about: "chat",
    answer: Type.Boolean({ description: "Whether a payment was made in the chat." }),
    example: false,
    filter: {
      name: "isPaid",
      schema: Type.Boolean({
        description: "Returns only results with a successful payment (`true`), or only results without one (`false`).",
      }),
    },
    exported: { title: "Paid", at: "end" },
  },
  channel: {
    column: "channel",
    about: "chat",
    answer: Type.Union([Type.String(), Type.Null()], {
      description: "The messenger of the chat, such as `telegram`. Null for chats on the web.",
    }),
    example: "telegram",
    filter: {
      name: "channel",
      schema: Type.String({
        maxLength: 50,
        description: "Returns only results of this messenger, such as `telegram`.",
      }),
    },
    exported: { title: "Channel", at: "end" },
  },
  contactId: {
    column: "contact_id",
    about: "visitor",
    answer: Type.Union([Type.String(), Type.Null()], {
      description: "Id of the contact on the messenger. Null for chats on the web, and after the contact was erased.",
    }),
    example: "01k3a5v6w7x8y9z0a1b2c3d4e5",
    filter: {
      name: "contactId",
      schema: Type.String({
        pattern: "^[0-7][0-9a-hjkmnp-tv-z]{25}$",
        description: "Returns only results of this contact.",
      }),
    },
  },
} as const satisfies Readonly<Record<string, ResultField>>;

type Fields = typeof resultFields;

type AnswerName = { [Name in keyof Fields]: Fields[Name] extends { answer: TSchema } ? Name : never }[keyof Fields];
type AnswerSchemas = { [Name in AnswerName]: Extract<Fields[Name], { answer: TSchema }>["answer"] };
/** The fields of a result, in the format of SQL statements and API responses. */
export type FieldValues = { readonly [Name in AnswerName]: Static<AnswerSchemas[Name]> };

type WrittenName = {
  [Name in keyof Fields]: Fields[Name] extends { written: object } ? Name : never;
}[keyof Fields];
type WrittenSchemas = { [Name in WrittenName]: TOptional<Fields[Name]["written"]["schema"]> };
/** The fields of a result that a person sets. Absent fields are not changed. */
export type WrittenFields = { readonly [Name in WrittenName]?: Static<WrittenSchemas[Name]> | undefined };

type Filter = Extract<Fields[keyof Fields], { filter: object }>["filter"];
type FilterSchemas = { [Name in Filter["name"]]: TOptional<Extract<Filter, { name: Name }>["schema"]> };
/** The filters of a request. An absent filter matches any value. */
export type FieldFilters = { readonly [Name in keyof FilterSchemas]?: Static<FilterSchemas[Name]> | undefined };

/** All fields, without their exact types. */
export const allFields: readonly ResultField[] = Object.values(resultFields);

/** The columns that are cleared when a result is erased. */
export const erasedColumns = allFields.filter(({ about }) => about === "visitor").map(({ column }) => column);

/** The columns that are copied with a bot's results. */
export const copiedColumns = allFields.filter(({ about }) => about !== "bot").map(({ column }) => column);

/** The names of the fields that clients of the reference product do not receive. */
export const ownFields = Object.entries<ResultField>(resultFields).flatMap(
  ([name, { answer, isForExistingClients }]) => (answer && !isForExistingClients ? [name] : []),
);

export function answerSchemas(): AnswerSchemas;
export function answerSchemas(): object {
  return fieldsWith("answer", ({ answer }) => answer);
}

/** Returns the fields of a result as shown in the documentation. */
export function exampleFields(): FieldValues;
export function exampleFields(): object {
  return fieldsWith("answer", ({ example }) => example);
}

export function writtenSchemas(): WrittenSchemas;
export function writtenSchemas(): object {
  return fieldsWith("written", ({ written }) => written && Type.Optional(written.schema));
}

/** Returns the fields that a person sets, as shown in the documentation. */
export function writtenExamples(): WrittenFields;
export function writtenExamples(): object {
  return fieldsWith("written", ({ example }) => example);
}

/** Calls `read` for each field with the given part, and returns the results by field name. */
function fieldsWith(part: "answer" | "written", read: (field: ResultField) => unknown): object {
  const all = Object.entries<ResultField>(resultFields).filter(([, field]) => field[part]);
  return Object.fromEntries(all.map(([name, field]) => [name, read(field)]));
}

/** A value that a person sets. Undefined means no change. */
type Value = string | string[] | null | undefined;

export type WrittenColumn = {
  readonly column: string;
  /** The stored value, in which list entries are unique and an empty text or list is null. */
  readonly value: Value;
  /** The list entries that the field rejects. */
  readonly issues: readonly { readonly path: string; readonly message: string }[];
};

/**
 * Returns every column that a person can set, with the value to write. The value is undefined for fields that are
 * absent in `given`.
 */
export function writtenColumns(given: WrittenFields): WrittenColumn[] {
  const values: Readonly<Record<string, Value>> = given;
  return Object.entries<ResultField>(resultFields).flatMap(([name, { column, written }]) => {
    if (!written) return [];
    const value = storedValue(values[name]);
    const entries = Array.isArray(value) ? value : [];
    const issues = entries.flatMap((entry, index) => {
      const message = written.entryProblem?.(entry);
      return message === undefined ? [] : [{ path: `${name}[${index}]`, message }];
    });
    return [{ column, value, issues }];
  });
}

function storedValue(value: Value): Value {
  if (Array.isArray(value)) return value.length === 0 ? null : [...new Set(value)];
  return value === "" ? null : value;
}

export function filterSchemas(): FilterSchemas;
export function filterSchemas(): object {
  return Object.fromEntries(
    allFields.flatMap(({ filter }) => (filter ? [[filter.name, Type.Optional(filter.schema)]] : [])),
  );
}

/** Returns the filters of a request, without its other parameters. */
export function fieldFilters(request: FieldFilters): FieldFilters;
export function fieldFilters(request: Readonly<Record<string, unknown>>): object {
  return Object.fromEntries(allFields.flatMap(({ filter }) => (filter ? [[filter.name, request[filter.name]]] : [])));
}

/** Returns the value that the filters require for a field. Undefined means any value. */
export function wantedOf(filters: FieldFilters, field: ResultField): unknown;
export function wantedOf(filters: Readonly<Record<string, unknown>>, { filter }: ResultField): unknown {
  return filter && filters[filter.name];
}

/** Whether the field's column is a list of texts. */
export function isList({ answer }: ResultField): boolean {
  return answer !== undefined && TypeGuard.IsArray(answer);
}
