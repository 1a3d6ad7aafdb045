import { type Command, InvalidArgumentError } from "commander";

/** An invalid command line: the message is shown with a hint at `help`, and the exit code is 2. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}

export type Environment = Readonly<Record<string, string | undefined>>;

/** The tools of commands. */
export type Tools = {
  /** The settings. */
  readonly environment: Environment;
  /** Writes to standard output, which has only the requested output. */
  print(text: string): void;
  /** Writes a line to standard error: notes for the operator. */
  tell(line: string): void;
  /** Ends the program with this code, unless an error ends it. */
  setExitCode(code: number): void;
};

/** Adds one command, with its description, to the command line. */
export type AddCommand = (program: Command, tools: Tools) => void;

/**
 * A text made safe for a terminal. Names and messages come from flows, visitors and other servers: a control character
 * among them could clear the screen or set the clipboard, and a direction mark could reverse a sentence.
 */
export function withoutControls(text: string): string {
  return text.replace(controls, "\uFFFD");
}

// All control characters except line ends and tabs.
const controls = /(?![\n\t])[\p{Cc}\u202A-\u202E\u2066-\u2069]/gu;

/** The option of every command that has machine-readable output. */
export const jsonOption = ["--json", "print JSON"] as const;

/** One JSON document on its own line. */
export function printJson(tools: Tools, value: unknown): void {
  tools.print(`${JSON.stringify(value, undefined, 2)}\n`);
}

/** Reads an option that is a whole number from 1 to a bound. */
export function wholeUpTo(bound: number) {
  return (text: string): number => {
    const number = Number(text);
    if (/^[1-9]\d*$/.test(text) && number <= bound) return number;
    throw new InvalidArgumentError(`It must be a whole number from 1 to ${bound}.`);
  };
}

/** Reads an option that is a whole number above 0. */
export const wholeNumber = wholeUpTo(9_999_999);
