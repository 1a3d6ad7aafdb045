import { listAt, numberAt, textAt } from "../web/conversation/read.ts";
import { type AddCommand, jsonOption, printJson, type Tools, UsageError, wholeNumber } from "./command.ts";
import { defaultUrl, type ServiceOptions, serviceOptions } from "./service-options.ts";

type LintCommandOptions = ServiceOptions & { readonly number?: number; readonly json?: true };

const notes = `
A file is checked here, without a service, so links to other bots and credentials are not checked. A bot is checked by its service.
The exit code is 1 if there are errors: every chat would fail at once, so publishing refuses them. docs/lint.md explains each rule.`;

export const addLint: AddCommand = (program, tools) => {
  program
    .command("lint")
    .description("Check the flow of a file or of a bot for faults.")
    .argument("<bot>", "an exported bot's file, or a bot's id")
    .option("--number <n>", "of a bot: this publication instead of its draft", wholeNumber)
    .option(...serviceOptions.url, defaultUrl(tools.environment))
    .option(...serviceOptions.token)
    .option(...jsonOption)
    .addHelpText("after", notes)
    .action(async (bot: string, options: LintCommandOptions) => {
      const isFile = await Bun.file(bot).exists();
      if (isFile && options.number !== undefined) throw new UsageError("--number is for a bot, not for a file.");
      const report = isFile ? await lintFile(bot) : await lintAtService(bot, options, tools);
      if (options.json) printJson(tools, report);
      else printReport(tools, report);
      if ((numberAt(report, "errors") ?? 0) > 0) tools.setExitCode(1);
    });
};

async function lintFile(path: string): Promise<unknown> {
  const { readJsonFile } = await import("./json-file.ts");
  const { StartError } = await import("../config.ts");
  const { AppError } = await import("../errors.ts");
  const { readFlowParts } = await import("../core/flow/check.ts");
  const { completeFlow } = await import("../core/flow/complete.ts");
  const { countFindings } = await import("../core/lint/counts.ts");
  const { lintFlow } = await import("../core/lint/lint.ts");
  const content = await readJsonFile(path);
  try {
    const findings = lintFlow(completeFlow(readFlowParts(content, "bot")));
    return { findings, ...countFindings(findings) };
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    const [issue] = listAt(error.data, "issues");
    const where = issue === undefined ? "" : ` ${textAt(issue, "path")} ${textAt(issue, "message")}.`;
    throw new StartError(`${path} has no flow: ${error.message}${where}`, { cause: error });
  }
}

async function lintAtService(bot: string, { number, ...service }: LintCommandOptions, tools: Tools): Promise<unknown> {
  const { openService } = await import("./service.ts");
  const ask = openService(service, tools.environment);
  return ask("POST", `/api/v1/bots/${encodeURIComponent(bot)}/lint`, { number });
}

function printReport({ print, tell }: Tools, report: unknown): void {
  for (const finding of listAt(report, "findings")) {
    const [severity, rule, path] = ["severity", "rule", "path"].map((key) => textAt(finding, key));
    const lines = `${severity} ${rule} ${path}${placeOf(finding)}\n  ${textAt(finding, "message")} ${textAt(finding, "advice")}\n`;
    print(lines);
  }
  const counts = ["error", "warning", "info"].map((one) => counted(numberAt(report, `${one}s`) ?? 0, one));
  tell(`${counts.join(", ")}.`);
}

/** Behind the path, so that scripts that read the first words of a line go on as they are. */
function placeOf(finding: unknown): string {
  const [group, block] = [textAt(finding, "groupTitle"), textAt(finding, "blockName")];
  const names = [group && `group "${group}"`, block && `block "${block}"`].filter((name) => name !== undefined);
  return names.length > 0 ? ` (${names.join(", ")})` : "";
}

function counted(count: number, one: string): string {
  return `${count} ${one}${count === 1 ? "" : "s"}`;
}
