import { KindGuard, type TObject, type TSchema, Type } from "@sinclair/typebox";
import type { Dialect } from "../core/flow/dialect.ts";
import { ownFields } from "../core/results/result-fields.ts";

/**
 * Defines the names that an operation uses in requests and responses. Schemas and values use Parley's names, which a
 * spelling converts to and from the names of the caller.
 */
export type Spelling = {
  readonly dialect: Dialect;
  /** Returns the operation's id in the documentation. */
  operationId(id: string): string;
  /** Converts a path with its parameter names. */
  path(path: string): string;
  /** Converts a schema. Returns the same schema object if nothing changes. */
  schema(schema: TSchema): TSchema;
  object(schema: TObject): TObject;
  /** Returns a value from the caller with Parley's names. Keys that the schema does not contain stay unchanged. */
  read(schema: TSchema, value: unknown): unknown;
  /** Returns a value of Parley in the form that the caller expects. */
  write(schema: TSchema, value: unknown): unknown;
};

/** The spelling of `/api/v1/bots`, which uses the names of the schemas unchanged. */
export const ownSpelling: Spelling = {
  dialect: "bot",
  operationId: (id) => id,
  path: (path) => path,
  schema: (schema) => schema,
  object: (schema) => schema,
  read: (_, value) => value,
  write: (_, value) => value,
};

const names = new Map([
  ["bot", "typebot"],
  ["bots", "typebots"],
  ["botId", "typebotId"],
  ["publishedBot", "publishedTypebot"],
  ["publishedBotId", "publishedTypebotId"],
  ["messengerCredentialsId", "whatsAppCredentialsId"],
]);

/**
 * Keys that clients of the reference product expect in a resource, and that have no meaning in Parley. Their value is
 * null.
 */
const addedKeys = new Map([
  ["Bot", ["spaceId"]],
  ["BotSummary", ["spaceId"]],
  ["PublishedBot", ["lastActivityAt"]],
  ["Result", ["lastChatSessionId"]],
]);

/**
 * Keys that the reference product does not have. Responses to its clients omit the keys of `ownKeys` in all resources,
 * and the keys of `ownKeysOf` in one resource.
 */
const ownKeys = new Set(["storedFileUrls", "revision", "editor"]);
const ownKeysOf = new Map([
  ["Bot", ["publicationNumber"]],
  ["Result", [...ownFields, "conversation", "payments", "ratings"]],
]);

function isOwn({ $id = "", properties }: TObject, name: string): boolean {
  return Object.hasOwn(properties, name) && (ownKeys.has(name) || (ownKeysOf.get($id)?.includes(name) ?? false));
}

/** The spelling of `/api/v1/typebots`, which uses the names of the reference product. */
export const typebotSpelling: Spelling = {
  dialect: "typebot",
  operationId: (id) =>
    id.includes("Bot") ? id.replace("Bot", "Typebot") : `typebot${id.charAt(0).toUpperCase()}${id.slice(1)}`,
  path: (path) =>
    path
      .replace("/api/v1/bots", "/api/v1/typebots")
      .replace(":botId", ":typebotId")
      .replace("/publishedBot", "/publishedTypebot")
      .replace("/linkedBots", "/linkedTypebots")
      .replace("/updateBot", "/updateTypebot"),
  schema: respelled,
  object: (schema) => respelledObject(schema),
  read,
  write,
};

function respelled(schema: TSchema): TSchema {
  if (KindGuard.IsObject(schema)) return respelledObject(schema);
  if (KindGuard.IsArray(schema)) {
    const items = respelled(schema.items);
    return items === schema.items ? schema : { ...schema, items };
  }
  if (KindGuard.IsUnion(schema)) {
    const anyOf = schema.anyOf.map(respelled);
    return anyOf.every((choice, index) => choice === schema.anyOf[index]) ? schema : { ...schema, anyOf };
  }
  return schema;
}

function respelledObject(schema: TObject): TObject {
  const known = respelledObjects.get(schema);
  if (known) return known;
  const added = addedKeys.get(schema.$id ?? "") ?? [];
  const properties = Object.entries(schema.properties);
  const changed = properties
    .filter(([name]) => !isOwn(schema, name))
    .map(([name, property]) => [names.get(name) ?? name, respelled(property)] as const);
  const isSame =
    changed.length === properties.length &&
    changed.every(([name, property], index) => {
      const own = properties[index];
      return own?.[0] === name && own[1] === property;
    });
  const spelled = isSame && added.length === 0 ? schema : objectLike(schema, { changed, added });
  respelledObjects.set(schema, spelled);
  return spelled;
}

const respelledObjects = new WeakMap<TObject, TObject>();

function objectLike(
  schema: TObject,
  { changed, added }: { changed: readonly (readonly [string, TSchema])[]; added: readonly string[] },
): TObject {
  const properties = Object.fromEntries([...changed, ...added.map((name) => [name, Type.Null()] as const)]);
  const kept = (schema.required ?? []).filter((name) => !isOwn(schema, name));
  const required = [...kept.map((name) => names.get(name) ?? name), ...added];
  // The schema's example uses Parley's names, so it is left out. The example of an operation's response is converted
  // like a response.
  const { $id, example: _, ...rest } = schema;
  return {
    ...rest,
    ...($id !== undefined && { $id: $id.includes("Bot") ? $id.replace("Bot", "Typebot") : `Typebot${$id}` }),
    properties,
    ...(required.length > 0 && { required }),
  };
}

function read(schema: TSchema, value: unknown): unknown {
  return convert(schema, value, {
    object({ properties }, given) {
      const entries = new Map(Object.entries(given));
      for (const own of Object.keys(properties)) {
        const theirs = names.get(own);
        if (theirs === undefined) continue;
        // In this spelling, Parley's own name is an unknown key.
        entries.delete(own);
        if (!Object.hasOwn(given, theirs)) continue;
        entries.delete(theirs);
        entries.set(own, Reflect.get(given, theirs));
      }
      return [...entries].map(([name, part]) => [name, convertKey(properties, { name, part }, read)]);
    },
    part: read,
  });
}

function write(schema: TSchema, value: unknown): unknown {
  return convert(schema, value, {
    object: (object, given) => [
      ...Object.entries(given)
        .filter(([name]) => !isOwn(object, name))
        .map(([name, part]): [string, unknown] => [
          (Object.hasOwn(object.properties, name) && names.get(name)) || name,
          convertKey(object.properties, { name, part }, write),
        ]),
      ...(addedKeys.get(object.$id ?? "") ?? []).map((name): [string, unknown] => [name, null]),
    ],
    part: write,
  });
}

type Conversion = {
  /** Returns the entries of an object whose schema the spelling changes. */
  object(schema: TObject, given: object): [string, unknown][];
  part(schema: TSchema, value: unknown): unknown;
};

function convert(schema: TSchema, value: unknown, { object, part }: Conversion): unknown {
  if (value === null || typeof value !== "object" || respelled(schema) === schema) return value;
  if (KindGuard.IsUnion(schema)) {
    const choice = schema.anyOf.find((one) =>
      Array.isArray(value) ? KindGuard.IsArray(one) : KindGuard.IsObject(one),
    );
    return choice ? part(choice, value) : value;
  }
  if (KindGuard.IsArray(schema)) return Array.isArray(value) ? value.map((entry) => part(schema.items, entry)) : value;
  if (!KindGuard.IsObject(schema) || Array.isArray(value)) return value;
  return Object.fromEntries(object(schema, value));
}

function convertKey(
  properties: TObject["properties"],
  { name, part }: { name: string; part: unknown },
  convertPart: Conversion["part"],
): unknown {
  // Names come from the caller, so `constructor` must not match an inherited property.
  const schema = Object.hasOwn(properties, name) ? properties[name] : undefined;
  return schema ? convertPart(schema, part) : part;
}
