import fc from "fast-check";
import { storedFlows } from "../../support/flows-arbitrary.ts";
import { visitorReplies } from "../../support/replies-arbitrary.ts";
import type { Dice } from "./dice.ts";
import type { ApiDocument, DocumentedOperation } from "./document.ts";
import { bytesOf, type Draft, encoded } from "./draft.ts";
import { isPlain, mutated, oddText, writeJson } from "./odd-values.ts";
import { chatFlow, type World } from "./world.ts";

/** The material from which requests are built. */
export type Material = {
  readonly document: ApiDocument;
  readonly flows: readonly object[];
  readonly replies: readonly unknown[];
  readonly host: string;
};

/** Generates flows and replies from the seed, because the documentation does not describe them. */
export function makeMaterial(document: ApiDocument, { seed, host }: { seed: number; host: string }): Material {
  const flows = fc.sample(storedFlows(), { numRuns: 150, seed });
  const replies = fc.sample(visitorReplies(), { numRuns: 150, seed });
  // Excludes endless scripts. Other tests cover the limits of scripts, and endless scripts would only take time here.
  return { document, host, replies, flows: flows.filter((flow) => !JSON.stringify(flow).includes("for (;;)")) };
}

type Ingredients = { readonly dice: Dice; readonly material: Material; readonly world: World };

/** Returns a request that its operation most likely accepts. `known` overrides ids of the world. */
export function validRequest(
  operation: DocumentedOperation,
  { dice, material, world }: Ingredients,
  known: Readonly<Record<string, string>> = {},
): Draft & { readonly value: unknown } {
  const ids = { ...world.ids, ...known };
  const value = operation.body && bodyOf(operation, { dice, material, world }, ids);
  const file = fileFor(operation);
  return {
    method: operation.method,
    path: operation.path.replace(/\{(\w+)\}/g, (_, name: string) =>
      encoded(pathId(operation, name, ids) ?? operation.pathExamples.get(name) ?? "x"),
    ),
    query: operation.query.flatMap(({ name, schema, example }) => {
      const id = ids[name];
      if (id !== undefined) return [[name, id] as const];
      if (name === "cursor" || dice.oneIn(2)) return [];
      const given = dice.oneIn(2) && example !== undefined ? example : material.document.fitting(schema, dice);
      if (isPlain(given)) return Object.entries(given).map(([key, one]) => [`${name}[${key}]`, String(one)] as const);
      return [[name, name === "resultIds" ? (ids["resultId"] ?? "") : String(given)] as const];
    }),
    headers: [
      ...tokenHeader(operation, { dice, world }),
      ...(file === undefined ? [] : [["Content-Type", "text/plain"] as const]),
      ...(operation.body ? [["Content-Type", "application/json"] as const] : []),
      ...(/startChat|continueChat|goBack/.test(operation.path) && dice.oneIn(4)
        ? [["Idempotency-Key", `key-of-fuzz-${dice.below(1e9)}-${dice.below(1e9)}`] as const]
        : []),
    ],
    host: material.host,
    body: file === undefined ? operation.body && bytesOf(writeJson(value)) : bytesOf(file),
    isChunked: dice.oneIn(8),
    value,
  };
}

/**
 * Returns the content of a body that is a file, or undefined for all other bodies. The content of an author's file must
 * match its type.
 */
function fileFor({ method, path }: DocumentedOperation): string | undefined {
  if (path === "/api/uploads/{token}") return "The content of a file";
  return method === "POST" && path.endsWith("/files") ? "GIF89a and so on" : undefined;
}

function pathId({ path }: DocumentedOperation, name: string, ids: Readonly<Record<string, string>>) {
  if (/\/(type)?bots\/\{\w+\}\/startChat$/.test(path) && /^(bot|typebot)Id$/.test(name)) return ids["publicId"];
  if (/webhookBlocks|testCall/.test(path) && name === "blockId") return "calls";
  if (/bots\/.*invitations/.test(path) && name === "invitationId") return ids["botInvitationId"];
  if (/\/secrets\//.test(path) && name === "name") return ids["secretName"];
  if (path.endsWith("/receive") && name === "endpointId") return ids["listenerId"];
  return ids[name.replace(/^typebot/, "bot")];
}

function tokenHeader({ scope, takesToken }: DocumentedOperation, { dice, world }: Pick<Ingredients, "dice" | "world">) {
  if (!takesToken || (scope === undefined && dice.oneIn(2))) return [];
  const token = scope === "admin" ? world.tokens.admin : world.tokens.write;
  return [["Authorization", `Bearer ${token}`] as const];
}

function bodyOf({ body, path }: DocumentedOperation, ingredients: Ingredients, ids: Readonly<Record<string, string>>) {
  const { dice, material } = ingredients;
  const told = dice.oneIn(2) && body?.example !== undefined;
  const value = told ? body?.example : material.document.fitting(body?.schema ?? {}, dice);
  return withKnown(value, { ...ingredients, ids, path });
}

/** Replaces the values of keys with existing ids, valid flows and visitors' replies. */
function withKnown(
  value: unknown,
  place: Ingredients & { ids: Readonly<Record<string, string>>; path: string },
): unknown {
  if (!isPlain(value)) return value;
  const entries = Object.entries(value).map(([key, child]) => [key, knownAt(key, child, place)]);
  const object: Record<string, unknown> = Object.fromEntries(entries);
  // The schema of this key contains little information.
  if (place.path.endsWith("continueChat")) object["message"] = replyOf(place);
  return object;
}

function knownAt(
  key: string,
  value: unknown,
  place: Ingredients & { ids: Readonly<Record<string, string>>; path: string },
): unknown {
  const { dice, ids } = place;
  switch (key) {
    case "bot":
    case "typebot":
      return dice.oneIn(4) ? withKnown(value, place) : { name: "A bot", ...flowOf(place) };
    case "message":
      return replyOf(place);
    case "code":
      return ids["invitationCode"];
    case "email":
      return `ana.${dice.below(1e9)}@example.com`;
    case "resultIds":
      return [ids["resultId"]];
    case "resultId":
    case "startFrom":
    case "folderId":
    case "parentFolderId":
    case "scope":
    case "expiresAt":
      return dice.oneIn(2) ? undefined : (ids[key] ?? value);
    case "url":
      return "https://events.example.com/path";
    case "fileName":
      return "letter.txt";
    case "fileType":
      return "text/plain";
    case "updatedAt":
      return undefined;
    // In a path, this parameter is a version number.
    case "number":
      return value;
    // Other visits chat with this bot, so these keys are not changed.
    case "isClosed":
    case "publicId":
    case "customDomain":
      return dice.oneIn(20) ? value : undefined;
    default:
      return ids[key] ?? withKnown(value, place);
  }
}

function flowOf({ dice, material }: Ingredients): object {
  const flow = dice.oneIn(3) ? chatFlow("Hello") : (dice.pick(material.flows) ?? {});
  if (!dice.oneIn(3)) return flow;
  const changed = mutated(flow, dice);
  return isPlain(changed) ? changed : flow;
}

/** Returns a visitor's message for any question. */
export function replyOf({ dice, material }: Pick<Ingredients, "dice" | "material">): unknown {
  if (dice.oneIn(3)) return dice.pick(["3", "Yes", "Ana", "https://example.com/a.txt"]);
  if (dice.oneIn(4)) return oddText(dice);
  return dice.pick(material.replies);
}
