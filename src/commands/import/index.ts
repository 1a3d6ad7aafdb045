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
The files are exported bots, of any version of the format. The report says how many blocks run exactly, nearly or not at all, and which
credentials and linked bots the workspace does not have. Links between the files lead to the new bots. With --into, the replaced draft is kept
as a version.

With --from, the command copies a whole workspace from another server, which can be Parley or the reference product. It copies no secrets,
transcripts, logs or running chats, for example. The report lists what stays at the source, and compares the counts: the exit code is 1 if they
differ or if something could not be copied. --token is then the token for the source server; the token for this server is --to-token,
PARLEY_TOKEN or DATA_DIR/admin-token. If a run is interrupted, run it again: the state file contains its progress. A later run copies only new
data. See docs/moving.md for details.`;

export const addImport: AddCommand = (program, tools) => {
  program
    .command("import")
    .description("Create bots from files, replace a bot's draft with a file, or copy a workspace from another server.")
    .argument("[files...]", "exported bots, or folders that contain them")
    .option("--workspace <id or name>", "the workspace for the bots (default: the only one that the token can access)")
    .option("--folder <id>", "a folder of that workspace")
    .option("--into <bot>", "the id of a bot whose draft the file replaces, instead of creating a bot")
    .option("--untrusted", "mark client-side code as unsafe, if the file is from somebody else")
    .option("--from <address>", "instead of a file: the server to copy a workspace from")
    .option("--from-workspace <id or name>", "the source workspace (default: the only one that --token can access)")
    .option("--files-from <address>", "with --from: the address of the source's files, if it differs (its CHAT_URL)")
    .option("--to-token <token>", "with --from: the API token for the target service")
    .option("--state <file>", "with --from: the file that stores the progress (default: parley-import.json)")
    .option("--publish", "with --from: publish the bots that are published at the source, under the same public ids")
    .option("--no-results", "with --from: do not copy results")
    .option("--no-members", "with --from: do not copy members")
    .option(...serviceOptions.url, defaultUrl(tools.environment))
    .option(...serviceOptions.token)
    .option(...jsonOption)
    .addHelpText("after", notes)
    .action(async (files: readonly string[], options: ImportOptions) => {
      if (options.from !== undefined) return importWorkspace(tools, { ...options, from: options.from, files });
      refuseWithoutFrom(options);
      if (files.length === 0)
        throw new UsageError("Enter the files to import, or the server to import from with --from.");
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
      "--from-workspace, --files-from, --to-token, --state, --publish, --no-results and --no-members require --from.",
    );
}
