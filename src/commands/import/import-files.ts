import { resolve } from "node:path";
import { StartError } from "../../config.ts";
import { importSentence } from "../../core/documents/import-lines.ts";
import type { Answer } from "../../web/app/api/call.ts";
import { isObject, textAt } from "../../web/conversation/read.ts";
import { findBot, findWorkspace } from "../bots/find-bot.ts";
import { printJson, type Tools, UsageError } from "../command.ts";
import { readJsonFile } from "../files/json-file.ts";
import { isFlowFile, readNames, reportEach } from "../files/named.ts";
import { withNames } from "../files/references.ts";
import { type Call, openCalls, openService, type Service } from "../service.ts";
import type { JsonServiceOptions } from "../service-options.ts";

export type FileOptions = JsonServiceOptions & {
  readonly workspace?: string;
  readonly folder?: string;
  readonly into?: string;
  readonly untrusted?: true;
};

type Imported = Answer<"POST /api/v1/bots/import"> | Answer<"POST /api/v1/bots/:botId/import">;

/**
 * Creates bots from files, or replaces the draft of one bot. If a single file is named, `--json` prints the API's
 * response. Otherwise, it prints `{ "files": [{ "name", "bot", "report" }] }`, with a `problem` for each file that
 * could not be imported.
 */
export async function importFiles(tools: Tools, names: readonly string[], options: FileOptions): Promise<void> {
  const { into, workspace, folder, json } = options;
  if (into !== undefined && (workspace ?? folder) !== undefined) {
    throw new UsageError("--into names a bot, which already has a workspace: leave --workspace and --folder out.");
  }
  const { all, areSeveral } = await readNames(names, { isWanted: isFlowFile, noun: "file of a bot" });
  const bot = all.find(({ kind }) => kind === "bot");
  if (bot) throw new StartError(`${bot.name} is a bot of the service: enter a file or a folder.`);
  if (into !== undefined && areSeveral) throw new UsageError("--into requires a single file.");
  const call = openCalls(options, tools.environment);
  const send = into === undefined ? await creating(call, options) : await replacing(call, into);
  const enableSafetyFlags = options.untrusted ?? false;
  const files = await reportEach(all, async ({ name }) => {
    const content = await readBotFile(name);
    return { fileId: textAt(content, "id"), ...(await send({ bot: content, enableSafetyFlags, repair: true })) };
  });
  const made = files.flatMap((file) => ("problem" in file ? [] : [file]));
  if (into === undefined) await relink(made, openService(options, tools.environment));
  const reports = files.map((file) => ("problem" in file ? file : { ...file, fileId: undefined }));
  if (made.length < files.length) tools.setExitCode(1);
  if (json && areSeveral) return printJson(tools, { files: reports });
  for (const { name, ...report } of reports) {
    if (json) return printJson(tools, report);
    if ("problem" in report) tools.tell(`${name}: ${report.problem}`);
    else {
      printReport(tools, report);
      tools.print(`${report.bot.id}\n`);
    }
  }
}

type BotFile = { readonly bot: object; readonly enableSafetyFlags: boolean; readonly repair: true };

async function creating(call: Call, { workspace, folder, url }: FileOptions) {
  const workspaceId = await findWorkspace(call, { name: workspace, url });
  return (file: BotFile): Promise<Imported> =>
    call("POST /api/v1/bots/import", {
      body: { ...file, workspaceId, ...(folder !== undefined && { folderId: folder }) },
    });
}

async function replacing(call: Call, into: string) {
  const botId = await findBot(call, into);
  return (file: BotFile): Promise<Imported> => call("POST /api/v1/bots/:botId/import", { path: { botId }, body: file });
}

async function readBotFile(path: string): Promise<object> {
  const content = await readJsonFile(path);
  if (!isObject(content)) throw new StartError(`${path} is not an exported bot, because it is not a JSON object.`);
  return content;
}

type Made = Imported & { readonly name: string; readonly fileId: string | undefined };

/**
 * Makes links among the imported files refer to the new bots. A link contains the id of the exported bot or the path of
 * its file. The reports no longer list such a link as missing.
 */
async function relink(made: readonly Made[], ask: Service): Promise<void> {
  const byId = new Map(made.flatMap(({ fileId, bot }) => (fileId === undefined ? [] : [[fileId, bot.id] as const])));
  const byPath = new Map(made.map(({ name, bot }) => [resolve(name), bot.id]));
  for (const one of made) {
    const mended = new Set<string>();
    const groups = withNames(one.bot.groups, {
      bot(link) {
        const id = byId.get(link) ?? byPath.get(resolve(one.name, "..", link));
        if (id !== undefined) mended.add(link);
        return id;
      },
    });
    if (mended.size === 0) continue;
    await ask("PATCH", `/api/v1/bots/${one.bot.id}`, { bot: { groups } });
    one.report.missingBots = one.report.missingBots.filter(({ id }) => !mended.has(id));
    one.report.willNotWork = one.report.willNotWork.flatMap((line) => {
      if (line.kind !== "missing_bot") return [line];
      const missing = new Set(one.report.missingBots.map(({ blockId }) => blockId));
      const places = line.places.filter(({ blockId }) => missing.has(blockId));
      const left = { ...line, places, count: one.report.missingBots.length };
      return left.count === 0 ? [] : [{ ...left, message: importSentence(left) }];
    });
  }
}

function printReport({ tell }: Pick<Tools, "tell">, answer: Imported): void {
  const { counts, blocks, willNotWork, toEnter, different } = answer.report;
  const lines = { "Will not work": willNotWork, "To enter": toEnter, Different: different };
  tell(`"${answer.bot.name}": ${blocks.length - counts.notRun} of ${blocks.length} blocks run.`);
  for (const [part, ofPart] of Object.entries(lines)) {
    for (const { message, count, places } of ofPart) {
      tell(`  ${part}: ${message}`);
      if (part === "Different" || places.length === 0) continue;
      const more = count > places.length ? ` and ${count - places.length} more` : "";
      tell(`    in ${places.map(({ groupTitle, blockId }) => `"${groupTitle}" (${blockId})`).join(", ")}${more}`);
    }
  }
  if ("replacedNumber" in answer) tell(`The replaced draft is version ${answer.replacedNumber}.`);
}
