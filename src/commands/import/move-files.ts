import { rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { listAt, numberAt, textAt } from "../../web/conversation/read.ts";
import { type MovedBot, named, orProblem, type Run } from "./run.ts";
import { NotFound, type Server } from "./server.ts";
import { entriesOf } from "./source.ts";

/** The maximum number of files in one request. */
const batch = 100;

/**
 * Moves the files of one result, one at a time. Each file is downloaded to this machine's disk and then sent to the
 * target. Files that the target already has are skipped. Returns the number of the result's files at the source.
 */
export async function moveFilesOf(run: Run, bot: MovedBot, result: unknown): Promise<number> {
  const { source, target } = run;
  const [id, createdAt] = [textAt(result, "id") ?? "", textAt(result, "createdAt")];
  const place = `/api/v1/bots/${encodeURIComponent(bot.id)}/results/${encodeURIComponent(id)}/files`;
  const files = listAt(await source.find(place), "files").toReversed();
  for (let from = 0; from < files.length; from += batch) {
    const some = files.slice(from, from + batch);
    const body = { source: source.origin, result: { id, createdAt }, files: some };
    await orProblem(run, `${named(bot.name)}, files of result ${id}`, async () => {
      const path = `/api/v1/bots/${encodeURIComponent(bot.own)}/results/import/files`;
      const answer = await target.write("POST", path, { body }).catch(unlessAbsent);
      for (const [index, made] of listAt(answer, "files").entries()) {
        const file = some[index];
        const [address, uploadUrl] = [textAt(file, "url"), textAt(made, "uploadUrl")];
        if (address === undefined || uploadUrl === undefined) continue;
        await orProblem(run, `${named(bot.name)}, file ${named(textAt(file, "name") ?? "")}`, () =>
          passOn(run, `${place}/${encodeURIComponent(lastPartOf(address))}`, (content) =>
            target.write("PUT", uploadUrl, { file: { path: content, type: textAt(file, "type") ?? "" } }),
          ),
        );
      }
    });
  }
  return files.length;
}

/**
 * Ignores a NotFound error, because a result that the target rejected or deleted accepts no files. The comparison
 * reports the missing files.
 */
function unlessAbsent(error: unknown): undefined {
  if (!(error instanceof NotFound)) throw error;
}

/**
 * Moves the files of a workspace's authors. If the target already has a file with the same name and content, that file
 * is used. Returns the files' addresses in the target, by the last part of their addresses at the source.
 */
export async function moveWorkspaceFiles(run: Run): Promise<ReadonlyMap<string, string>> {
  const { source, target, place, report } = run;
  const moved = new Map<string, string>();
  if (!run.isParley) return moved;
  const theirs = (await listWorkspaceFiles(source, place.fromWorkspaceId)).toReversed();
  const ours = await listWorkspaceFiles(target, place.workspaceId);
  const taken = new Set<WorkspaceFile>();
  const elsewhere = theirs.filter((file) => !source.hasFile(file.url));
  if (elsewhere.length > 0)
    report.left.push({ what: "Files at other addresses", names: elsewhere.map(({ url }) => named(url)) });
  for (const file of theirs) {
    if (elsewhere.includes(file)) continue;
    const known = ours.find((one) => one.hash === file.hash && one.name === file.name && !taken.has(one));
    if (known) {
      taken.add(known);
      moved.set(lastPartOf(file.url), known.url);
      continue;
    }
    await orProblem(run, `File ${named(file.name)}`, () =>
      passOn(run, file.url, async (content) => {
        const path = `/api/v1/workspaces/${encodeURIComponent(place.workspaceId)}/files?name=${encodeURIComponent(file.name)}`;
        const answer = await target.write("POST", path, { file: { path: content, type: file.type } });
        moved.set(lastPartOf(file.url), textAt(answer, "workspaceFile", "url") ?? file.url);
      }),
    );
  }
  report.files = moved.size;
  report.compared.push({ what: "Files of authors", bot: null, there: theirs.length, here: moved.size });
  return moved;
}

type WorkspaceFile = {
  readonly name: string;
  readonly type: string;
  readonly hash: string;
  readonly url: string;
  readonly bytes: number;
};

async function listWorkspaceFiles(server: Server, workspaceId: string): Promise<WorkspaceFile[]> {
  const files: WorkspaceFile[] = [];
  for await (const file of entriesOf(
    server,
    `/api/v1/workspaces/${encodeURIComponent(workspaceId)}/files`,
    {},
    "files",
  )) {
    const text = (name: string) => textAt(file, name) ?? "";
    const url = text("url");
    if (URL.canParse(url)) {
      files.push({
        name: text("name"),
        type: text("type"),
        hash: text("hash"),
        url,
        bytes: numberAt(file, "bytes") ?? 0,
      });
    }
  }
  return files;
}

/** Downloads a file of the source to the disk, sends it, and removes it from the disk. */
async function passOn(run: Run, path: string, send: (content: string) => Promise<unknown>): Promise<void> {
  const content = join(tmpdir(), `parley-import-${crypto.randomUUID()}`);
  try {
    await run.source.download(path, content);
    await send(content);
  } finally {
    await rm(content, { force: true });
  }
}

const workspaceFile = /https?:\/\/[^\s"'()<>\\]*?\/api\/workspace-files\/([0-9a-z]{26}\.[a-z0-9]{1,10})/g;

/** Replaces the addresses of moved files in JSON with their addresses in the target. */
export function withFiles(json: string, moved: ReadonlyMap<string, string>): string {
  return json.replaceAll(workspaceFile, (address, name: string) => moved.get(name) ?? address);
}

function lastPartOf(address: string): string {
  return address.slice(address.lastIndexOf("/") + 1);
}
