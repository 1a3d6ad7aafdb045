import { listAt, numberAt, textAt } from "../web/conversation/read.ts";
import { type AddCommand, jsonOption, printJson, type Tools, UsageError, wholeNumber } from "./command.ts";
import { defaultUrl, type ServiceOptions, serviceOptions } from "./service-options.ts";

type LintCommandOptions = ServiceOptions & {
  readonly number?: number;
  readonly strict?: true;
  readonly json?: true;
};

const notes = `
Files are checked locally, without a service, so links to other bots and credentials are not checked. Bots are checked by their service.
The exit code is 1 if there are errors, with which every chat would fail immediately, so publishing rejects them. docs/lint.md explains each rule.`;

export const addLint: AddCommand = (program, tools) => {
  program
    .command("lint")
    .description("Check the flows of files or bots for problems.")
    .argument("<bots...>", "files of exported bots, folders that contain them, or ids of bots")
    .option("--number <n>", "for one bot: check this publication instead of the draft", wholeNumber)
    .option("--strict", "also exit with 1 if there are warnings")
    .option(...serviceOptions.url, defaultUrl(tools.environment))
    .option(...serviceOptions.token)
    .option(...jsonOption)
    .addHelpText("after", notes)
    .action((bots: readonly string[], options: LintCommandOptions) => lintAll(tools, bots, options));
};

async function lintAll(tools: Tools, bots: readonly string[], options: LintCommandOptions): Promise<void> {
  const { isFlowFile, readNames, reportEach } = await import("./files/named.ts");
  const { all, areSeveral } = await readNames(bots, { isWanted: isFlowFile, noun: "file of a bot" });
  const isOneBot = all.length === 1 && all[0]?.kind === "bot";
  if (!isOneBot && options.number !== undefined) throw new UsageError("--number requires a bot, not a file.");
  const files = await reportEach(all, async ({ kind, name }) =>
    kind === "file" ? lintFile(name) : lintAtService(name, options, tools),
  );
  const count = (key: string): number => files.reduce((sum, file) => sum + (numberAt(file, key) ?? 0), 0);
  const counts = { errors: count("errors"), warnings: count("warnings"), infos: count("infos") };
  if (options.json) printJson(tools, areSeveral ? { files, ...counts } : withoutName(files[0]));
  else {
    for (const file of files) printReport(tools, file, areSeveral);
    tools.tell(`${["error", "warning", "info"].map((one) => counted(count(`${one}s`), one)).join(", ")}.`);
  }
  const grave = counts.errors + (options.strict ? counts.warnings : 0);
  if (grave > 0 || files.some((file) => "problem" in file)) tools.setExitCode(1);
}

function withoutName(file: object | undefined): object {
  return Object.fromEntries(Object.entries(file ?? {}).filter(([key]) => key !== "name"));
}

async function lintFile(path: string): Promise<object> {
  const { flowIn } = await import("./files/flow-file.ts");
  const { readJsonFile } = await import("./files/json-file.ts");
  const { countFindings } = await import("../core/lint/counts.ts");
  const { lintFlow } = await import("../core/lint/lint.ts");
  const findings = lintFlow(flowIn(await readJsonFile(path), path));
  return { findings, ...countFindings(findings) };
}

async function lintAtService(botId: string, { number, ...service }: LintCommandOptions, tools: Tools): Promise<object> {
  const { openCalls } = await import("./service.ts");
  const call = openCalls(service, tools.environment);
  return call("POST /api/v1/bots/:botId/lint", { path: { botId }, body: { number } });
}

function printReport({ print }: Tools, report: object, isNamed: boolean): void {
  const problem = textAt(report, "problem");
  const findings = listAt(report, "findings");
  if (isNamed && (problem !== undefined || findings.length > 0)) print(`${textAt(report, "name")}\n`);
  if (problem !== undefined) print(`error ${problem}\n`);
  for (const finding of findings) {
    const [severity, rule, path] = ["severity", "rule", "path"].map((key) => textAt(finding, key));
    print(
      `${severity} ${rule} ${path}${placeOf(finding)}\n  ${textAt(finding, "message")} ${textAt(finding, "advice")}\n`,
    );
  }
}

/**
 * Returns the titles of the group and block. The titles are printed after the path, so that scripts that parse the
 * first words of a line still work.
 */
function placeOf(finding: unknown): string {
  const [group, block] = [textAt(finding, "groupTitle"), textAt(finding, "blockName")];
  const names = [group && `group "${group}"`, block && `block "${block}"`].filter((name) => name !== undefined);
  return names.length > 0 ? ` (${names.join(", ")})` : "";
}

function counted(count: number, one: string): string {
  return `${count} ${one}${count === 1 ? "" : "s"}`;
}
