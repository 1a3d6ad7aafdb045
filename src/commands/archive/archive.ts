import { type Config, readConfig, StartError } from "../../config.ts";
import { readCatalog, type Tree } from "../../platform/archive/catalog.ts";
import { unseal } from "../../platform/archive/sealed.ts";
import { printJson, type Tools, UsageError } from "../command.ts";
import { createProgress, megabytes } from "../output/progress.ts";

const failed = 1;
type Options = { readonly json?: true };

export async function list(tools: Tools, given: string | undefined, { json }: Options): Promise<void> {
  const { place, config } = placeOf(tools, given);
  const databases = (await readCatalog(place, config)).map((tree) => ({
    id: tree.id,
    bytes: tree.bytes,
    segments: tree.segments.length,
    bases: tree.ranges.map(({ base, until, lastWal, hasGap }) => ({
      name: base.name,
      from: base.endedAt,
      until: until?.toISOString() ?? null,
      bytes: base.bytes,
      release: base.release,
      missing: hasGap ? `the file after wal/${lastWal}` : null,
    })),
  }));
  if (json) return printJson(tools, { place, databases });
  if (databases.length === 0) tools.tell(`${place} is empty.`);
  for (const { id, bytes, segments, bases } of databases) {
    tools.print(`${id}: ${bases.length} base copies and ${segments} WAL files in ${megabytes(bytes)}\n`);
    for (const { from, until, missing } of bases) {
      const end = until === null ? "incomplete: the WAL file after it is missing" : `to ${until}`;
      tools.print(`  from ${from} ${end}${missing === null ? "" : `; ${missing} is missing`}\n`);
    }
  }
}

export async function check(tools: Tools, given: string | undefined, { json }: Options): Promise<void> {
  const { place, config } = placeOf(tools, given);
  const progress = createProgress(tools, "Reading");
  const problems: string[] = [];
  let files = 0;
  for (const tree of await readCatalog(place, config)) {
    for await (const problem of problemsOf(tree, progress.add)) {
      if (problem === undefined) files++;
      else problems.push(`${tree.id}: ${problem}`);
    }
  }
  if (problems.length > 0) tools.setExitCode(failed);
  if (json) return printJson(tools, { place, files, problems });
  progress.end(problems.length === 0 ? "Nothing was changed." : problems.join("\n"));
  if (problems.length === 0) tools.print(`${files} files in ${place} are intact.\n`);
}

/** Yields the problem of each file, or undefined for an intact file. Missing files are also yielded as problems. */
async function* problemsOf(
  tree: Tree,
  onProgress: (what: string, bytes: number) => void,
): AsyncGenerator<string | undefined> {
  const listed = await tree.objects.list("");
  const names = new Set(listed.map(({ name }) => name));
  for (const { name, bytes } of listed) {
    yield await unseal(name, (await tree.objects.get(name)) ?? new Uint8Array()).then(
      () => undefined,
      (error: unknown) => {
        if (error instanceof StartError) return error.message;
        throw error;
      },
    );
    onProgress(name, bytes);
  }
  for (const { base, lastWal, hasGap } of tree.ranges) {
    for (let part = 1; part <= base.parts; part++) {
      const name = `bases/${base.name}/${String(part).padStart(6, "0")}.tar`;
      if (!names.has(name)) yield `${name} is missing: restore from another base copy.`;
    }
    if (hasGap)
      yield `the file after wal/${lastWal} is missing: the base copy ${base.name} cannot restore anything after that file.`;
  }
}

function placeOf({ environment }: Tools, given: string | undefined): { place: string; config: Config } {
  const config = readConfig(environment);
  const place = given ?? config.ARCHIVE_TO;
  if (place === undefined) throw new UsageError("Enter a place, because ARCHIVE_TO is not set.");
  return { place, config };
}
