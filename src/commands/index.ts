import tab from "@bomb.sh/tab/commander";
import { Command, CommanderError } from "commander";
import { version } from "../../package.json";
import { addApi } from "./api/index.ts";
import { addArchive } from "./archive/index.ts";
import { addBackup } from "./backup/index.ts";
import { addBench } from "./bench/index.ts";
import { addBots } from "./bots/index.ts";
import { addChannels } from "./channels/index.ts";
import { addChat } from "./chat/index.ts";
import { type AddCommand, type Environment, type Tools, UsageError, withoutControls } from "./command.ts";
import { addDeploy, addPull } from "./deploy/index.ts";
import { addDoctor } from "./doctor/index.ts";
import { addEvents } from "./events/index.ts";
import { addExport } from "./export.ts";
import { addHealth } from "./health.ts";
import { addImpact } from "./impact.ts";
import { addImport } from "./import/index.ts";
import { addLicences } from "./licences.ts";
import { addLint } from "./lint.ts";
import { addMigrate } from "./migrate.ts";
import { addPrimary } from "./primary.ts";
import { addRestore } from "./restore/index.ts";
import { addResults } from "./results/index.ts";
import { addRotateKey } from "./rotate-key/index.ts";
import { addSchema } from "./schema.ts";
import { addServe } from "./serve.ts";
import { addSignIn } from "./sign-in.ts";
import { addTest } from "./test/index.ts";
import { addToken } from "./token.ts";
import { addUser } from "./user.ts";

/** All commands, in the order of `help`. */
const commands: readonly AddCommand[] = [
  addServe,
  addChat,
  addTest,
  addImpact,
  addDoctor,
  addHealth,
  addMigrate,
  addPrimary,
  addSignIn,
  addToken,
  addUser,
  addBots,
  addResults,
  addChannels,
  addPull,
  addDeploy,
  addImport,
  addExport,
  addLint,
  addEvents,
  addApi,
  addBackup,
  addRestore,
  addArchive,
  addRotateKey,
  addBench,
  addSchema,
  addLicences,
];

const explanation = `
Settings are environment variables: PORT, DATABASE_URL, DATA_DIR and others, see docs/settings.md.

Exit codes: 0 success, 1 failure (standard error has the reason), 2 invalid command line.
Completion: parley complete bash | zsh | fish prints the script for your shell.`;

const helpFailed = 1;
const wrongUsage = 2;

/**
 * Runs one command and returns the exit code. Throws a UsageError, StartError or AppError whose message is a sentence
 * for the operator.
 */
export async function runCommand(args: readonly string[], environment: Environment): Promise<number> {
  let exitCode = 0;
  const tools: Tools = {
    environment,
    print: (text) => void process.stdout.write(process.stdout.isTTY ? withoutControls(text) : text),
    tell: (line) => void process.stderr.write(`${withoutControls(line)}\n`),
    setExitCode: (code) => {
      exitCode = code;
    },
  };
  const program = new Command("parley")
    .description(
      "Hosts conversational flows: publishes bots, runs chats, stores every answer. Without a command, it starts the service.",
    )
    .version(version, "-V, --version", "print the version")
    .helpOption("-h, --help", "show help for a command")
    .helpCommand(false)
    .addHelpText("after", explanation)
    .configureOutput({ outputError: () => {} })
    .exitOverride();
  for (const add of commands) add(program, tools);
  addHelp(program);
  tab(program);
  const completion = program.commands.find((command) => command.name() === "complete");
  completion?.description("Print the script that completes commands in bash, zsh or fish.");
  try {
    await program.parseAsync(args.length === 0 ? ["serve"] : [...args], { from: "user" });
    return exitCode;
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    if (error.exitCode === 0) return 0;
    // The command line names a group of commands without a command, so the group's help was shown.
    if (error.code === "commander.help" && error.exitCode === helpFailed) return wrongUsage;
    throw new UsageError(sentence(error.message), { cause: error });
  }
}

/** Adds `help`, both for commands and for commands within a group: `help results export`. */
function addHelp(program: Command): void {
  const description = "Show help for a command.";
  for (const command of program.commands)
    if (command.commands.length > 0) command.helpCommand("help [command]", description);
  program
    .command("help")
    .description(description)
    .argument("[command...]", "the command's name, which can have several words: results export")
    .action((words: readonly string[]) => {
      let found = program;
      for (const word of words) {
        const next = found.commands.find((command) => command.name() === word || command.aliases().includes(word));
        if (!next) throw new UsageError(`There is no command "${words.join(" ")}".`);
        found = next;
      }
      found.outputHelp();
    });
}

/**
 * Converts commander's message, such as `error: unknown command 'x'` with a suggestion in brackets on the next line, to
 * sentences.
 */
function sentence(message: string): string {
  const [problem = "", guess] = message.replace(/^error: /, "").split("\n");
  const first = `${problem.charAt(0).toUpperCase()}${problem.slice(1).replace(/\.?$/, ".")}`;
  return guess === undefined ? first : `${first} ${guess.replace(/^\(|\)$/g, "")}`;
}
