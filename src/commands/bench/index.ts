import { InvalidArgumentError } from "commander";
import { stopSignals } from "../../platform/processes/stop-request.ts";
import { type AddCommand, jsonOption, printJson, wholeUpTo } from "../command.ts";

type Options = {
  readonly at: readonly number[];
  readonly seconds: number;
  readonly rounds: number;
  readonly json?: true;
};

/** The exit code that shells use for a program that Ctrl-C ended. */
const interrupted = 130;
const most = { concurrency: 1_000, seconds: 600, rounds: 50 };

const explanation = `
The command creates a database, on the server of DATABASE_URL or embedded on the disk of DATA_DIR, starts this service on it with your
settings, lets visitors chat through five questions, and removes everything. Next to each figure is the best result of the same database in
the same round (one row updated by its key, durable): on another machine, or a busy machine, compare only ratios. The visitors also run on
this machine. If a run is killed, the next run on the same server or DATA_DIR removes its remains.

The exit code is 0 after a complete run, 1 if it could not measure or a request failed, 2 for an invalid command line, 130 after Ctrl-C.`;

export const addBench: AddCommand = (program, tools) => {
  program
    .command("bench")
    .description(
      "Measure this machine and its database: chats with several numbers of concurrent visitors, on a temporary database.",
    )
    .option(
      "--at <list>",
      "the numbers of concurrent visitors, such as 1,32",
      listOf(most.concurrency),
      [1, 8, 32, 128],
    )
    .option("--seconds <number>", "the duration of each measurement", numberUpTo(most.seconds), 2)
    .option("--rounds <number>", "the number of rounds of measurements", wholeUpTo(most.rounds), 3)
    .option(...jsonOption)
    .addHelpText("after", explanation)
    .action(async ({ at, seconds, rounds, json }: Options) => {
      const { measure } = await import("./measure.ts");
      const { tableOf } = await import("./table.ts");
      const stopping = new AbortController();
      const stop = (): void => stopping.abort();
      const isWatched = process.stderr.isTTY;
      const say = (text: string): void => void (isWatched && process.stderr.write(`\r\u001b[K${text}`));
      for (const signal of stopSignals) process.once(signal, stop);
      try {
        const report = await measure(tools.environment, {
          concurrencies: at,
          seconds,
          rounds,
          signal: stopping.signal,
          onProgress: (what) => say(`Measuring: ${what}`),
        });
        say("");
        if (json) printJson(tools, report);
        else tools.print(tableOf(report));
      } catch (error) {
        say("");
        if (!stopping.signal.aborted) throw error;
        tools.tell("Interrupted: everything that the command created is removed.");
        tools.setExitCode(interrupted);
      } finally {
        for (const signal of stopSignals) process.off(signal, stop);
      }
    });
};

function numberUpTo(bound: number) {
  return (text: string): number => {
    const number = Number(text);
    if (!(number > 0 && number <= bound)) throw new InvalidArgumentError(`It must be a number up to ${bound}.`);
    return number;
  };
}

function listOf(bound: number) {
  const read = wholeUpTo(bound);
  return (text: string): number[] => [...new Set(text.split(",").map((part) => read(part.trim())))];
}
