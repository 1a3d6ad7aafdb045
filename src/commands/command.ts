import { type Command, InvalidArgumentError } from "commander";

/** An error in the command line. The message is printed with a hint to use `help`, and the exit code is 2. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}

export type Environment = Readonly<Record<string, string | undefined>>;

/** The functions and settings that every command receives. */
export type Tools = {
  /** The environment variables, which contain the settings. */
  readonly environment: Environment;
  /** Writes to standard output, which contains only the output that was requested. */
  print(text: string): void;
  /** Writes a line for the operator to standard error. */
  tell(line: string): void;
  /** Sets the exit code of the program. An error that the command throws overrides this code. */
  setExitCode(code: number): void;
};

/** Adds commands and their descriptions to the command line. */
export type AddCommand = (program: Command, tools: Tools) => void;

/**
 * Replaces control characters and characters that reorder text, so that a text is safe for a terminal. Names and
 * messages come from flows, visitors and other servers. A control character could clear the screen or set the
 * clipboard, and a change of the text direction could reverse a sentence.
 */
export function withoutControls(text: string): string {
  return text.replace(controls, "\uFFFD");
}

// Matches characters that embed, override or isolate a text direction, and control characters except line feeds and
// tabs.
const controls = /(?![\n\t])[\p{Cc}\u202A-\u202E\u2066-\u2069]/gu;

/** The option of every command that has machine-readable output. */
export const jsonOption = ["--json", "print JSON"] as const;

/** Prints a value as an indented JSON document that ends with a line break. */
export function printJson(tools: Tools, value: unknown): void {
  tools.print(`${JSON.stringify(value, undefined, 2)}\n`);
}

/** Returns a parser for an option that must be a whole number from 1 to the bound. */
export function wholeUpTo(bound: number) {
  return (text: string): number => {
    const number = Number(text);
    if (/^[1-9]\d*$/.test(text) && number <= bound) return number;
    throw new InvalidArgumentError(`It must be a whole number from 1 to ${bound}.`);
  };
}

/** Parses an option that must be a whole number from 1 to 9,999,999. */
export const wholeNumber = wholeUpTo(9_999_999);
