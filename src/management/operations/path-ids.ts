import { type TObject, type TString, Type } from "@sinclair/typebox";
import { cleanText } from "../../core/documents/incoming-json.ts";
import type { ErrorCode } from "../../errors.ts";
import { idPath } from "../../platform/http/schemas.ts";
import { isId } from "../../platform/ids.ts";

/** The 404 of each id in paths. A path in which an id refers to another kind of object has a separate schema. */
const notFound = new Map<string, ErrorCode>([
  ["botId", "bot.not_found"],
  ["commentId", "comment.not_found"],
  ["connectionId", "channel_connection.not_found"],
  ["contactId", "contact.not_found"],
  ["credentialsId", "credentials.not_found"],
  ["customDomainId", "custom_domain.not_found"],
  ["deliveryId", "event_delivery.not_found"],
  ["endpointId", "event_endpoint.not_found"],
  ["exportId", "result_export.not_found"],
  ["fileId", "file.not_found"],
  ["folderId", "folder.not_found"],
  ["invitationId", "invitation.not_found"],
  ["resultId", "result.not_found"],
  ["sendingId", "sending.not_found"],
  ["sessionId", "session.not_found"],
  ["signInId", "sign_in.not_found"],
  ["themeTemplateId", "theme_template.not_found"],
  ["tokenId", "token.not_found"],
  ["typebotId", "bot.not_found"],
  ["userId", "user.not_found"],
  ["workspaceId", "workspace.not_found"],
]);

/** The schema of the parameters of a path. */
export type PathIds<Path extends string> = TObject<Record<Names<Path>, TString>>;

type Names<Path extends string> = Path extends `${string}:${infer Name}/${infer Rest}`
  ? Name | Names<Rest>
  : Path extends `${string}:${infer Name}`
    ? Name
    : never;

/** Returns the schema of a path whose parameters are all ids. */
export function pathIds(path: string): TObject {
  return Type.Object(Object.fromEntries(namesOf(path).map((name) => [name, idOf(name)])));
}

/** Returns path parameters, cleaned like all other input. A parameter that cannot be decoded matches nothing. */
export function cleanParams(given: Readonly<Record<string, unknown>>): Record<string, string> {
  const cleaned: Record<string, string> = {};
  for (const name in given) {
    const value = given[name];
    cleaned[name] = typeof value === "string" ? cleanText(value) : "\uFFFD";
  }
  return cleaned;
}

/** Returns the session in a path; undefined if the path contains no valid session id. */
export function sessionIn({ sessionId }: Readonly<Record<string, unknown>>): string | undefined {
  return typeof sessionId === "string" && isId(sessionId) ? sessionId : undefined;
}

/** Throws if a path and the schema of its parameters contain different names. */
export function requireSameNames(path: string, params: TObject): void {
  if (namesOf(path).join() === Object.keys(params.properties).join()) return;
  throw new Error(`${path} and its params schema name different parameters`);
}

function namesOf(path: string): string[] {
  return [...path.matchAll(/:(\w+)/g)].flatMap(([, name]) => name ?? []);
}

function idOf(name: string): TString {
  const code = notFound.get(name);
  if (code === undefined) throw new Error(`The path parameter ${name} needs a schema in \`params\``);
  return idPath(code);
}
