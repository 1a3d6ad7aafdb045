import { type AddCommand, jsonOption, type Tools, UsageError } from "../command.ts";
import { defaultUrl, serviceOptions } from "../service-options.ts";
import type { FileOptions } from "./import-files.ts";

type ImportOptions = FileOptions & {
  readonly from?: string;
  readonly fromWorkspace?: string;
  readonly filesFrom?: string;
  readonly toToken?: string;
  readonly state?: string;
  readonly publish?: true;
  readonly results: boolean;
  readonly members: boolean;
};

const notes = `
The files are exported bots, of any version of the format. The report says how many blocks run here exactly, nearly or not, and which
credentials and linked bots the workspace does not have. Links among the files lead to the new bots. With --into the replaced draft is kept
as a version.

With --from it copies a whole workspace from another server, which may be Parley or the reference product. From a Parley it brings everything
but secrets, transcripts and logs. The report names what stays there, and compares the counts: the exit code is 1 if they differ. --token is
then that server's; the one for here is --to-token, PARLEY_TOKEN or DATA_DIR/admin-token. If a run is interrupted, run it again: the state file
has its progress. A later run copies what is new since. docs/moving.md has more.`;

export const addImport: AddCommand = (program, tools) => {
  program
    .command("import")
    .description("Create bots from files, replace a bot's draft by a file, or copy a workspace from another server.")
    .argument("[files...]", "exported bots, or folders that have some")
    .option("--workspace <id or name>", "the workspace for it (default: the only one that the token sees)")
    .option("--folder <id>", "a folder there")
    .option("--into <bot>", "the id of a bot whose draft it replaces, instead of a new bot")
    .option("--untrusted", "mark client-side code, if the file is from somebody else")
    .option("--from <address>", "instead of a file: the server to copy a workspace from")
    .option("--from-workspace <id or name>", "its workspace (default: the only one that --token sees)")
    .option("--files-from <address>", "with --from: where that server has its files, if not there (its CHAT_URL)")
    .option("--to-token <token>", "with --from: the API token for the service here")
    .option("--state <file>", "with --from: the file for the progress (default: parley-import.json)")
    .option("--publish", "with --from: publish the bots that are published there, under the same public ids")
    .option("--no-results", "with --from: leave results out")
    .option("--no-members", "with --from: make nobody a member")
    .option(...serviceOptions.url, defaultUrl(tools.environment))
    .option(...serviceOptions.token)
    .option(...jsonOption)
    .addHelpText("after", notes)
    .action(async (files: readonly string[], options: ImportOptions) => {
      if (options.from !== undefined) return importWorkspace(tools, { ...options, from: options.from, files });
      refuseWithoutFrom(options);
      if (files.length === 0) throw new UsageError("Say which files to import, or with --from which server.");
      const { importFiles } = await import("./import-files.ts");
      await importFiles(tools, files, options);
    });
};

async function importWorkspace(
  tools: Tools,
  { files, into, folder, ...options }: ImportOptions & { readonly from: string; readonly files: readonly string[] },
): Promise<void> {
  if (files.length > 0 || into !== undefined || folder !== undefined) {
    throw new UsageError("--from copies a whole workspace: leave the files, --into and --folder out.");
  }
  const { runMove } = await import("./run-move.ts");
  await runMove(tools, options);
}

function refuseWithoutFrom(options: ImportOptions): void {
  const { fromWorkspace, filesFrom, toToken, state, publish, results, members } = options;
  const isNamed = (fromWorkspace ?? filesFrom ?? toToken ?? state ?? publish) !== undefined || !results || !members;
  if (isNamed)
    throw new UsageError(
      "--from-workspace, --files-from, --to-token, --state, --publish, --no-results and --no-members need --from.",
    );
}
