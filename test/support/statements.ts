import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "@babel/parser";

/** A piece of SQL as written in the code, with `$` for each parameter. */
export type SourceStatement = { readonly file: string; readonly function: string; readonly text: string };

const root = join(import.meta.dir, "../../src");

/** Returns every SQL template in files of `src` that match patterns such as `chat/**\/*.sql.ts`. */
export function readStatements(patterns: readonly string[]): SourceStatement[] {
  const files = patterns.flatMap((pattern) => [...new Bun.Glob(pattern).scanSync({ cwd: root })].toSorted());
  return files.flatMap((file) => {
    const found: SourceStatement[] = [];
    const tree = parse(readFileSync(join(root, file), "utf8"), { sourceType: "module", plugins: ["typescript"] });
    visit(tree.program, "", (name, text) => found.push({ file, function: name, text }));
    return found;
  });
}

type OnStatement = (functionName: string, text: string) => void;

function visit(node: unknown, name: string, onStatement: OnStatement): void {
  if (Array.isArray(node)) {
    for (const one of node) visit(one, name, onStatement);
    return;
  }
  if (typeof node !== "object" || node === null) return;
  const own = functionNameOf(node) ?? name;
  const text = sqlOf(node);
  if (text !== undefined) onStatement(own, text);
  for (const [key, value] of Object.entries(node)) if (key !== "loc") visit(value, own, onStatement);
}

function functionNameOf(node: object): string | undefined {
  if (fieldOf(node, "type") !== "FunctionDeclaration") return undefined;
  const name = fieldOf(fieldOf(node, "id"), "name");
  return typeof name === "string" ? name : undefined;
}

function sqlOf(node: object): string | undefined {
  if (fieldOf(node, "type") !== "TaggedTemplateExpression" || fieldOf(fieldOf(node, "tag"), "name") !== "sql")
    return undefined;
  const quasis = fieldOf(fieldOf(node, "quasi"), "quasis");
  if (!Array.isArray(quasis)) return undefined;
  const texts = quasis.map((quasi) => String(fieldOf(fieldOf(quasi, "value"), "cooked")));
  return texts.join(" $ ").replace(/--.*$/gm, "").replace(/\s+/g, " ").trim();
}

function fieldOf(node: unknown, key: string): unknown {
  return typeof node === "object" && node !== null ? Object.getOwnPropertyDescriptor(node, key)?.value : undefined;
}
