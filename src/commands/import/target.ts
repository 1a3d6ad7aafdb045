import { StartError } from "../../config.ts";
import { writtenSchemas } from "../../core/results/result-fields.ts";
import { at, type Json, listAt, numberAt, textAt } from "../../web/conversation/read.ts";
import type { Server } from "./server.ts";
import { listBots, listFolders, listThemes, type Names, type SourceFolder, type SourceTheme } from "./source.ts";
import type { Counts, Kind } from "./state.ts";

/** An object of the target workspace that may match a new object. */
export type Candidate = { readonly id: string; readonly name: string; readonly parentId?: string | null };

/** Returns the workspace's objects of a kind. */
export function listOf(server: Server, workspaceId: string, kind: Kind): Promise<readonly Candidate[]> {
  switch (kind) {
    case "folders":
      return listFolders(server, workspaceId);
    case "themes":
      return listThemes(server, workspaceId);
    case "bots":
      return listBots(server, workspaceId);
    default:
      return kind satisfies never;
  }
}

type CreateFacts = { readonly workspaceId: string; readonly key: string };

export async function makeFolder(
  server: Server,
  { name, parentId }: Pick<SourceFolder, "name" | "parentId">,
  { workspaceId, key }: CreateFacts,
): Promise<string> {
  const body = { workspaceId, folderName: name, ...(parentId !== null && { parentFolderId: parentId }) };
  return idIn(server, await server.write("POST", "/api/v1/folders", { body, key }), "folder");
}

export async function makeTheme(
  server: Server,
  { name, theme }: Pick<SourceTheme, "name" | "theme">,
  { workspaceId, key }: CreateFacts,
): Promise<string> {
  const path = `/api/v1/workspaces/${encodeURIComponent(workspaceId)}/theme-templates`;
  const body = { name: name.trim() === "" ? "Untitled" : name, theme };
  return idIn(server, await server.write("POST", path, { body, key }), "themeTemplate");
}

/** How many blocks of an imported bot run, and how many refer to credentials that the workspace lacks. */
export type BotReport = Awaited<ReturnType<typeof makeBot>>["report"];

export async function makeBot(
  server: Server,
  { bot, names, folderId, isUntrusted }: { bot: Json; names: Names; folderId: string | null; isUntrusted: boolean },
  { workspaceId, key }: CreateFacts,
) {
  const body = { workspaceId, folderId, [names.one]: bot, enableSafetyFlags: isUntrusted, repair: true };
  const answer = await server.write("POST", `/api/v1/${names.path}/import`, { body, key });
  const count = (name: string) => numberAt(answer, "report", "counts", name) ?? 0;
  return {
    id: idIn(server, answer, names.one),
    report: {
      exact: count("exact"),
      approximated: count("approximated"),
      notRun: count("notRun"),
      missingCredentials: listAt(answer, "report", "missingCredentials").length,
    },
  };
}

/** Writes some fields of a bot. Overwrites changes of other users. */
export async function changeBot(
  server: Server,
  id: string,
  { fields, names }: { fields: Json; names: Names },
): Promise<void> {
  const body = { [names.one]: fields, overwrite: true };
  await server.write("PATCH", `/api/v1/${names.path}/${encodeURIComponent(id)}`, { body });
}

/**
 * Publishes the draft. Faults of the flow do not prevent the publication, because visitors already have them at the
 * source.
 */
export async function publish(server: Server, id: string, key: string): Promise<void> {
  await server.write("POST", `/api/v1/typebots/${encodeURIComponent(id)}/publish`, { body: {}, key });
}

export type Added = {
  readonly added: number;
  readonly changed: number;
  readonly here: Counts;
  /**
   * The number of results that are older than the bot's retention, and the retention in days. Earlier releases return
   * neither number.
   */
  readonly outdated: { readonly results: number; readonly days: number };
};

/**
 * Adds results and updates existing results. Returns how many results were added and changed, and how many of these
 * results, answers and files the target now stores.
 */
export async function addResults(
  server: Server,
  id: string,
  { source, results }: { source: string; results: readonly unknown[] },
): Promise<Added> {
  const body = { source, update: true, results: results.map(asSent) };
  const answer = await server.write("POST", `/api/v1/bots/${encodeURIComponent(id)}/results/import`, { body });
  const count = (...path: readonly string[]) => numberAt(answer, ...path) ?? 0;
  const here = {
    results: count("stored", "results"),
    answers: count("stored", "answers"),
    files: count("stored", "files"),
  };
  const outdated = { results: count("outdated", "results"), days: count("outdated", "days") };
  return { added: count("added"), changed: count("changed"), here, outdated };
}

/** Returns the fields of a result that are moved. Other fields are ignored. */
function asSent(result: unknown) {
  const kept = (value: unknown, names: readonly string[]) =>
    Object.fromEntries(names.flatMap((name) => (at(value, name) === undefined ? [] : [[name, at(value, name)]])));
  return {
    ...kept(result, [
      "id",
      "createdAt",
      "hasStarted",
      "isCompleted",
      "publicationNumber",
      ...Object.keys(writtenSchemas()),
    ]),
    variables: listAt(result, "variables")
      .filter((variable) => at(variable, "value") !== null && at(variable, "value") !== undefined)
      .map((variable) => kept(variable, ["id", "name", "value"])),
    answers: listAt(result, "answers").map((answer) =>
      kept(answer, ["createdAt", "blockId", "groupId", "variableId", "content", "attachedFileUrls"]),
    ),
    // Earlier releases and other services return no ratings.
    ...(at(result, "ratings") !== undefined && {
      // Ratings of a bot that links to this bot are moved with the linking bot's results.
      ratings: listAt(result, "ratings")
        .filter((rating) => at(rating, "isLinked") !== true)
        .map((rating) => kept(rating, ["sessionId", "revision", "blockId", "isGood", "words", "ratedAt"])),
    }),
  };
}

function idIn({ origin }: Server, answer: unknown, name: string): string {
  const id = textAt(answer, name, "id");
  if (id === undefined) throw new StartError(`${origin} did not return the id of the new object: is it Parley?`);
  return id;
}
