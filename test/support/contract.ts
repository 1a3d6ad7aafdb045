import { appendFileSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { errorCatalogue } from "../../src/errors.ts";
import type { Operation } from "../../src/management/operations/operation.ts";
import { operations } from "../../src/service/operations.ts";

/**
 * The environment variable for the folder to which test processes write the covered operations and errors. Set by
 * test/run.ts for a run of the whole suite.
 */
export const contractVariable = "PARLEY_CONTRACT_DIR";

/** Records that an operation was successful. */
export function noteOperation(operation: Pick<Operation, "method" | "path">): void {
  note(nameOf(operation));
}

/** Records that an error of the catalogue was returned over HTTP. */
export function noteError(code: string): void {
  note(code);
}

/**
 * Returns the documented parts that a run of the whole suite did not cover, one line each: operations without a
 * successful response, and errors of the catalogue that never occurred.
 */
export function contractGaps(folder: string): string[] {
  const met = new Set(readdirSync(folder).flatMap((file) => readFileSync(join(folder, file), "utf8").split("\n")));
  const unmetOperations = operations.map(nameOf).filter((name) => !met.has(name));
  const unmetCodes = Object.keys(errorCatalogue).filter((code) => !met.has(code));
  return [
    ...unmetOperations.map((name) => `${name} is documented, but no test saw it succeed`),
    ...unmetCodes.map((code) => `${code} is in the catalogue, but no test met it`),
  ];
}

const noted = new Set<string>();

function note(line: string): void {
  const folder = process.env[contractVariable];
  if (folder === undefined || noted.has(line)) return;
  noted.add(line);
  appendFileSync(join(folder, `${process.pid}.txt`), `${line}\n`);
}

function nameOf({ method, path }: Pick<Operation, "method" | "path">): string {
  return `${method} ${path}`;
}
