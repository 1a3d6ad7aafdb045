import { mentions } from "../interpreter/language/template-scan.ts";

/** A call to `setVariable` in a script. */
export type ScriptWrite = {
  /** The variable's name. Undefined if the script computes the name. */
  readonly name: string | undefined;
  /** The names of the variables from which the value may be computed. */
  readonly from: readonly string[];
  /** Whether the call is always made if the script runs to its end. */
  readonly isSure: boolean;
};

const call = /\bsetVariable\s*\(\s*/g;
const literalName = /^(["'`])([^"'`\\\n$]+)\1\s*(?:,|\))/;

/** Finds the `setVariable` calls in a script by analysing its text. */
export function scriptWrites(script: string): ScriptWrite[] {
  if (!script.includes("setVariable")) return [];
  const all = namesIn(script);
  return [...script.matchAll(call)].map(({ 0: opening, index }) => {
    const begin = index + opening.length;
    const [whole = "", , name] = literalName.exec(script.slice(begin)) ?? [];
    const value = script.slice(begin + whole.length, endOfCall(script, begin));
    return { name, from: isPlain(value) ? namesIn(value) : all, isSure: isSure(script.slice(0, index)) };
  });
}

function namesIn(code: string): string[] {
  return [...new Set(mentions(code).map(({ inner }) => inner))];
}

/** Returns the position of the closing bracket of a call, or the end of the script if the bracket is missing. */
function endOfCall(script: string, begin: number): number {
  let depth = 1;
  for (let at = begin; at < script.length; at++) {
    const character = script.charAt(at);
    if ("([{".includes(character)) depth++;
    else if (")]}".includes(character)) depth--;
    if (depth === 0) return at;
  }
  return script.length;
}

const known = /^(?:Math|Number|String|Boolean|parseFloat|parseInt|JSON|true|false|null|undefined|typeof)$/;

/**
 * Whether a value consists only of literals, mentioned variables, properties and known built-in names. Any other name
 * may refer to any value in the script.
 */
function isPlain(value: string): boolean {
  const own = value
    .replace(/\{\{[^{}\n]+\}\}/g, " ")
    .replace(/(["'])(?:\\.|(?!\1)[^\\\n])*\1/g, " ")
    .replace(/\.\s*[A-Za-z_$][\w$]*/g, " ");
  return (own.match(/[A-Za-z_$][\w$]*/g) ?? []).every((name) => known.test(name));
}

/** Whether the call after `before` is a separate statement outside of blocks and conditions. */
function isSure(before: string): boolean {
  const opened = (before.match(/\{/g) ?? []).length;
  const closed = (before.match(/\}/g) ?? []).length;
  if (opened !== closed) return false;
  const last = before.trimEnd();
  if (last === "" || /[;}]$/.test(last)) return true;
  const isNewLine = /\n[^\S\n]*$/.test(before);
  const line = last.slice(last.lastIndexOf("\n") + 1);
  return isNewLine && !/(?:^|[\s})])(?:if|else|for|while|do)\b|[&|?:,=(]$/.test(line);
}
