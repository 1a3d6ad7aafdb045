import { flagAt, listAt, numberAt, textAt } from "../web/conversation/read.ts";
import { type AddCommand, jsonOption, printJson, type Tools, UsageError, wholeNumber } from "./command.ts";
import { defaultUrl, type ServiceOptions, serviceOptions } from "./service-options.ts";

type ImpactOptions = ServiceOptions & {
  readonly number?: number;
  readonly flow?: string;
  readonly last?: number;
  readonly json?: true;
};

const notes = `
Parley replays each chat step by step, with the results that its calls had. Nothing is stored or sent. The exit code is 1
if chats would follow another path. docs/impact.md explains the report.`;

export const addImpact: AddCommand = (program, tools) => {
  program
    .command("impact")
    .description("Replay a bot's recent chats with its draft, and show the differences.")
    .argument("<bot>", "the bot's id, public id or name")
    .option("--number <n>", "use this publication instead of the draft", wholeNumber)
    .option("--flow <file>", "use the flow in this JSON file instead of the draft, such as an exported bot")
    .option("--last <n>", "number of results to replay", wholeNumber)
    .option(...serviceOptions.url, defaultUrl(tools.environment))
    .option(...serviceOptions.token)
    .option(...jsonOption)
    .addHelpText("after", notes)
    .action(async (bot: string, { number, flow, last, json, ...service }: ImpactOptions) => {
      if (number !== undefined && flow !== undefined) throw new UsageError("Use either --number or --flow, not both.");
      const { openCalls, openService } = await import("./service.ts");
      const { findBot } = await import("./bots/find-bot.ts");
      const { readJsonFile } = await import("./files/json-file.ts");
      const ask = openService(service, tools.environment);
      const botId = await findBot(openCalls(service, tools.environment), bot);
      const report = await ask("POST", `/api/v1/bots/${botId}/impact`, {
        version: number && String(number),
        bot: flow && (await readJsonFile(flow)),
        last,
      });
      if (json) printJson(tools, report);
      else printReport(tools, report);
      if ((numberAt(report, "diverging") ?? 0) > 0) tools.setExitCode(1);
    });
};

/** The end of the sentence about a block, by the kind of the difference. */
const sentences: Readonly<Record<string, string>> = {
  words: "has other content",
  bubbles: "is followed by other bubbles and the same input",
  call: "makes another call",
  way: "is followed by another path",
  end: "ends the chat where it continued, or continues where it ended",
  uncalled: "needs a call that was not made",
  refused: "is followed by an error",
};

function printReport({ print, tell }: Tools, report: unknown): void {
  const count = (name: string): number => numberAt(report, name) ?? 0;
  print(`${count("results")} chats: ${count("same")} have the same outcome, `);
  print(
    `${count("changed")} follow the same path with other content or calls, ${count("diverging")} follow another path\n`,
  );
  for (const reason of listAt(report, "notReplayable")) {
    print(`${textAt(reason, "chats")} cannot be replayed: ${textAt(reason, "message")}\n`);
  }
  for (const place of listAt(report, "places")) printPlace(print, place);
  if (flagAt(report, "hasMorePlaces")) tell("There are more differences: only those with most chats are shown.");
  if (flagAt(report, "isComplete") === false)
    tell("The time limit was reached before all chats were replayed: request fewer with --last.");
}

function printPlace(print: Tools["print"], place: unknown): void {
  const blockId = textAt(place, "blockId");
  const group = textAt(place, "groupTitle") ?? textAt(place, "groupId");
  const where = blockId === undefined ? "The start" : `Block ${blockId}${group === undefined ? "" : ` (${group})`}`;
  const chats = numberAt(place, "chats") ?? 0;
  print(`\n${where} ${sentences[textAt(place, "kind") ?? ""]}: ${chats === 1 ? "1 chat" : `${chats} chats`}\n`);
  const [example] = listAt(place, "examples");
  const reply = textAt(example, "reply");
  print(`  for example result ${textAt(example, "resultId")}, step ${textAt(example, "step")}`);
  print(reply === undefined ? "\n" : `, after ${JSON.stringify(reply)}\n`);
  print(`    was:      ${shownIn(example, "was")}\n`);
  print(`    would be: ${textAt(example, "code") ?? shownIn(example, "wouldBe")}\n`);
}

function shownIn(example: unknown, name: "was" | "wouldBe"): string {
  const asks = textAt(example, name, "asks");
  const parts = [
    ...listAt(example, name, "shows").map((shown) => JSON.stringify(shown)),
    ...(asks === undefined ? [] : [`(${asks})`]),
    ...listAt(example, name, "choices").map((choice) => `[${typeof choice === "string" ? choice : "…"}]`),
  ];
  return parts.length === 0 ? "nothing" : parts.join(" ");
}
