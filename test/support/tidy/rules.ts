import type { Source } from "./source.ts";

const longestFile = 400;
const widestComment = 120;

/**
 * The calls that are forbidden in the core, because time, ids, randomness and external data are arguments of a step.
 */
const impure = [
  /\basync\b/,
  /\bawait\b/,
  /\bPromise\b/,
  /\bDate\.now\b/,
  /\bnew\s+Date\b(?!\s*\(\s*[^\s)])/,
  /(?<!new\s)(?<![.\w])Date\s*\(/,
  /\bMath\.random\b/,
  /(?<![.\w])fetch\s*\(/,
  /(?<![.\w])(?:process|Bun|globalThis|crypto|performance|require|setTimeout|setInterval|setImmediate|queueMicrotask)\b(?!\s*[:?]|\s*\()/,
  /(?<![.\w])(?:require|setTimeout|setInterval|setImmediate|queueMicrotask)\s*\(/,
  /\bimport\s*\(/,
];

/**
 * Matches a library that is loaded by a fixed name at its first use. This is allowed, because the result is the same.
 */
const libraryAtFirstUse = /(?<![.\w])require\("(?!node:|bun\b)[@a-z][^"]*"\)/g;

/** Returns the problems of a file of the pure core. */
export function purityProblems({ path, text, code }: Source): string[] {
  const loading = [...text.matchAll(libraryAtFirstUse)].map(({ index }) => index);
  const rest = code.replaceAll(/(?<![.\w])require\(/g, (word, at) =>
    loading.includes(at) ? word.replaceAll(/./g, " ") : word,
  );
  return impure.flatMap((pattern) => finds(path, rest, pattern).map((found) => `${found} is not pure`));
}

/** Returns SQL outside of SQL files. */
export function sqlProblems({ path, code }: Source): string[] {
  const patterns = [/\b(?:sql|transaction|tx)\b\s*(?:<[^`;()]*>)?\s*`/, /\.unsafe\s*\(/];
  return patterns.flatMap((pattern) =>
    finds(path, code, pattern).map((found) => `${found} is SQL outside of a file of its own (*.sql.ts)`),
  );
}

/**
 * Returns queries to the pool within a transaction, which already holds a connection of the pool. If all connections
 * are held in this way, the transactions wait for each other, and PostgreSQL detects no deadlock.
 */
export function transactionProblems({ path, code }: Source): string[] {
  return [...code.matchAll(/\(transaction\b[^()]*\)\s*=>/g)].flatMap((found) => {
    const start = found.index + found[0].length;
    const within = code.slice(0, start).replaceAll(/[^\n]/g, " ") + code.slice(start, endOfBody(code, start));
    return finds(path, within, /(?<![.\w])(?:deps|sql)\b/).map((name) => `${name} is the pool, within a transaction`);
  });
}

/** Returns the end of an arrow function's body: the first bracket, comma or semicolon outside of the body. */
function endOfBody(code: string, start: number): number {
  let depth = 0;
  for (let at = start; at < code.length; at++) {
    const letter = code.charAt(at);
    if ("([{".includes(letter)) depth++;
    if (depth === 0 && ")]},;".includes(letter)) return at;
    if (")]}".includes(letter)) depth--;
  }
  return code.length;
}

/** Returns the position of the bracket that closes a call whose arguments begin at `start`. */
function endOfCall(code: string, start: number): number {
  let depth = 1;
  for (let at = start; at < code.length; at++) {
    if ("([{".includes(code.charAt(at))) depth++;
    if (")]}".includes(code.charAt(at))) depth--;
    if (depth === 0) return at;
  }
  return code.length;
}

/** This file writes messages for developers of embedding pages, who only read the console. */
const consoleFile = "src/web/browser/in-frame.ts";

/**
 * Returns code and comments that silence a tool, such as `any`, casts and ignored rules, and leftovers of debugging.
 */
export function silenceProblems({ path, code, comments }: Source): string[] {
  const withoutModules = code.replaceAll(/\b(?:import|export)\b[^;]*?\bfrom\b/g, (statement) =>
    statement.replaceAll(/\S/g, " "),
  );
  const inCode = [
    /(?<![.\w])any\b(?!\s*[:(])/,
    /\bas\s+(?!const\b)[\w{([]/,
    path === consoleFile ? /\bconsole\s*\.(?!warn\()/ : /\bconsole\s*\./,
    /\bdebugger\b/,
    /\btest\.only\b|\bdescribe\.only\b/,
  ];
  const inComments = [
    /@ts-(?:ignore|expect-error|nocheck)/,
    /biome-ignore|eslint-disable/,
    /\b(?:TODO|FIXME|XXX|HACK)\b/,
  ];
  return [
    ...inCode.flatMap((pattern) => finds(path, withoutModules, pattern)),
    ...inComments.flatMap((pattern) => finds(path, comments, pattern)),
  ].map((found) => `${found} must not be`);
}

/**
 * Returns signals that are read without a subscription and without a comment that states the reason, on the same line
 * or the line above.
 */
export function untrackedProblems({ path, code, comments }: Source): string[] {
  const lines = comments.split("\n");
  return code.split("\n").flatMap((line, at) => {
    const isSilent = /\.peek\(\)|\buntracked\(/.test(line);
    const isExplained = `${lines[at - 1] ?? ""}${lines[at]}`.trim() !== "";
    return isSilent && !isExplained
      ? [`${path}:${at + 1} reads a signal without a subscription, and no comment says why`]
      : [];
  });
}

/**
 * Returns handwritten ids of variables in tests. Unlike the builder's ids, these ids are valid names in code, so they
 * hide errors with real ids.
 */
export function handMadeIdProblems({ path, text }: Source): string[] {
  const patterns = [
    /\b\w*[vV]ariableId: ["'][^"']+["']/,
    /\b\w*[vV]ariableIds: \[\s*["'][^"']*["']/,
    /\bvariables: \[\s*\{ id: ["'][^"']*["']/,
    /\bid: `v[-_]?\$\{/,
    /["'`]v-[A-Z]\w*["'`]/,
  ];
  return patterns.flatMap((pattern) => finds(path, text, pattern).map((found) => `${found} is an id made by hand`));
}

/** Returns statements that check a promise with `rejects` or `resolves` and do not wait for the result. */
export function unawaitedProblems({ path, code }: Source): string[] {
  return [...code.matchAll(/(?<=(?:^|[;{})]|\belse)\s*)\bexpect\(/g)].flatMap(({ index, 0: start }) => {
    const end = endOfCall(code, index + start.length);
    const check = /^\)\s*\.\s*(?:not\s*\.\s*)?(?:rejects|resolves)\b/.exec(code.slice(end));
    const line = code.slice(0, index).split("\n").length;
    return check ? [`${path}:${line}: "expect(…)${check[0].slice(1).replaceAll(/\s/g, "")}" is not awaited`] : [];
  });
}

/** Returns an error for a file that is too long to review. */
export function lengthProblems({ path, text }: Source): string[] {
  const lines = text.trimEnd().split("\n").length;
  return lines > longestFile ? [`${path} has ${lines} lines, ${longestFile} are the most`] : [];
}

/** Returns comment lines that exceed the maximum width. Tables and examples, indented by two blanks, may exceed it. */
export function widthProblems({ path, comments }: Source): string[] {
  return comments.split("\n").flatMap((line, index) => {
    const isTable = /^\s*(?:\/?\*+|\/\/) {2,}\S/.test(line);
    return [...line.trimEnd()].length > widestComment && !isTable
      ? [`${path}:${index + 1}: "${line.trim().slice(0, 40)}"`]
      : [];
  });
}

function finds(path: string, text: string, pattern: RegExp): string[] {
  return [...text.matchAll(new RegExp(pattern, "g"))].map((found) => {
    const line = text.slice(0, found.index).split("\n").length;
    return `${path}:${line}: "${found[0].trim()}"`;
  });
}
