import { isObject, listAt, numberAt, textAt } from "../../web/conversation/read.ts";
import { type AddCommand, jsonOption, printJson, type Tools, UsageError } from "../command.ts";
import type { Service } from "../service.ts";
import { defaultUrl, type ServiceOptions, serviceOptions } from "../service-options.ts";

type ImportOptions = ServiceOptions & {
  readonly workspace?: string;
  readonly from?: string;
  readonly fromWorkspace?: string;
  readonly toToken?: string;
  readonly state?: string;
  readonly publish?: true;
  readonly results: boolean;
  readonly folder?: string;
  readonly into?: string;
  readonly untrusted?: true;
  readonly json?: true;
};

const notes = `
The file is an exported bot, of any version of the format. The report says how many of its blocks run here exactly, nearly or not, and
which credentials and linked bots the workspace does not have. With --into the replaced draft is kept as a version.

With --from it copies a whole workspace from another server, which may be Parley or the reference product: folders, theme templates, bots and
results. --token is then that server's; the one for here is --to-token, PARLEY_TOKEN or DATA_DIR/admin-token. If a run is interrupted, run it
again: the state file has its progress. A later run copies the results that are new since. docs/moving.md has more.`;

export const addImport: AddCommand = (program, tools) => {
  program
    .command("import")
    .description("Create a bot from a file, replace a bot's draft by a file, or copy a workspace from another server.")
    .argument("[file]", "an exported bot")
    .option("--workspace <id>", "the workspace for it (default: the only one that the token sees)")
    .option("--folder <id>", "a folder there")
    .option("--into <bot>", "the id of a bot whose draft it replaces, instead of a new bot")
    .option("--untrusted", "mark client-side code, if the file is from somebody else")
    .option("--from <address>", "instead of a file: the server to copy a workspace from")
    .option("--from-workspace <id>", "its workspace (default: the only one that --token sees)")
    .option("--to-token <token>", "with --from: the API token for the service here")
    .option("--state <file>", "with --from: the file for the progress (default: parley-import.json)")
    .option("--publish", "with --from: publish the bots that are published there, under the same public ids")
    .option("--no-results", "with --from: leave results out")
    .option(...serviceOptions.url, defaultUrl(tools.environment))
    .option(...serviceOptions.token)
    .option(...jsonOption)
    .addHelpText("after", notes)
    .action(async (file: string | undefined, options: ImportOptions) => {
      if (options.from !== undefined) return importWorkspace(tools, { ...options, from: options.from, file });
      refuseWithoutFrom(options);
      if (file === undefined) throw new UsageError("Say which file to import, or with --from which server.");
      const { openService } = await import("../service.ts");
      const bot = await readBotFile(file);
      if (options.into !== undefined && (options.workspace ?? options.folder) !== undefined) {
        throw new UsageError(
          "--into names a bot, which is in a workspace already: leave --workspace and --folder out.",
        );
      }
      const ask = openService(options, tools.environment);
      const answer = await ask("POST", ...(await request(ask, bot, options)));
      if (options.json) return printJson(tools, answer);
      printReport(tools, answer);
      tools.print(`${textAt(answer, "bot", "id")}\n`);
    });
};

async function importWorkspace(
  tools: Tools,
  { file, into, folder, ...options }: ImportOptions & { readonly from: string; readonly file: string | undefined },
): Promise<void> {
  if (file !== undefined || into !== undefined || folder !== undefined) {
    throw new UsageError("--from copies a whole workspace: leave the file, --into and --folder out.");
  }
  const { runMove } = await import("./run-move.ts");
  await runMove(tools, options);
}

function refuseWithoutFrom({ fromWorkspace, toToken, state, publish, results }: ImportOptions): void {
  const isNamed = (fromWorkspace ?? toToken ?? state ?? publish) !== undefined || !results;
  if (isNamed) throw new UsageError("--from-workspace, --to-token, --state, --publish and --no-results need --from.");
}

async function request(ask: Service, bot: object, options: ImportOptions): Promise<[string, object]> {
  const { into, folder, untrusted = false } = options;
  const file = { bot, enableSafetyFlags: untrusted };
  if (into !== undefined) return [`/api/v1/bots/${encodeURIComponent(into)}/import`, file];
  const { onlyOf } = await import("./source.ts");
  const all = async () => listAt(await ask("GET", "/api/v1/workspaces"), "workspaces");
  const workspaceId = options.workspace ?? onlyOf(await all(), { origin: options.url, option: "--workspace" });
  return ["/api/v1/bots/import", { ...file, workspaceId, folderId: folder }];
}

async function readBotFile(path: string): Promise<object> {
  const { StartError } = await import("../../config.ts");
  const { readJsonFile } = await import("../json-file.ts");
  const content = await readJsonFile(path);
  if (!isObject(content)) throw new StartError(`${path} is not an exported bot: that is a JSON object.`);
  return content;
}

function printReport({ tell }: Pick<Tools, "tell">, answer: unknown): void {
  const count = (name: string) => numberAt(answer, "report", "counts", name) ?? 0;
  tell(
    `"${textAt(answer, "bot", "name")}": ${count("exact")} blocks run exactly, ${count("approximated")} nearly, ${count("notRun")} not.`,
  );
  for (const block of listAt(answer, "report", "blocks")) {
    if (textAt(block, "fidelity") === "exact") continue;
    tell(`  ${textAt(block, "blockId")} (${textAt(block, "type")}): ${listAt(block, "reasons").join(" ")}`);
  }
  for (const [key, noun] of [
    ["missingCredentials", "credentials"],
    ["missingBots", "a bot"],
  ] as const) {
    for (const missing of listAt(answer, "report", key)) {
      tell(`  ${textAt(missing, "blockId")} names ${noun} that the workspace does not have: ${textAt(missing, "id")}`);
    }
  }
  const replaced = numberAt(answer, "replacedNumber");
  if (replaced !== undefined) tell(`The replaced draft is version ${replaced}.`);
}
