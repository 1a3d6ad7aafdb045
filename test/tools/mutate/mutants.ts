import { parse } from "@babel/parser";

/** A small mutation of a file that at least one test should detect. */
export type Mutant = {
  readonly line: number;
  readonly start: number;
  readonly end: number;
  readonly was: string;
  readonly becomes: string;
};

type Node = { readonly type: string; readonly start: number; readonly end: number };

/**
 * Returns every useful mutation of a TypeScript file, in the order of the lines. `hasElements` is for `.tsx` files,
 * where `<T>(a: T) => a` starts an element.
 */
export function mutantsOf(text: string, { hasElements = false } = {}): Mutant[] {
  const plugins = ["typescript" as const, ...(hasElements ? ["jsx" as const] : [])];
  const file: unknown = parse(text, { sourceType: "module", plugins });
  const mutants: Mutant[] = [];
  const change = (start: number, end: number, becomes: string): void => {
    const was = text.slice(start, end);
    if (was === becomes) return;
    mutants.push({ line: text.slice(0, start).split("\n").length, start, end, was, becomes });
  };
  visit(file, (node) => {
    const source = ({ start, end }: Node): string => text.slice(start, end);
    const part = (name: string): Node | undefined => nodeAt(node, name);
    const operator = textAt(node, "operator");
    const [left, right, test] = [part("left"), part("right"), part("test")];
    switch (node.type) {
      case "IfStatement":
      case "ConditionalExpression":
      case "WhileStatement":
        if (test) change(test.start, test.end, `!(${source(test)})`);
        return;
      case "LogicalExpression":
      case "BinaryExpression": {
        const other = operators.get(operator);
        if (!left || !right || other === undefined) return;
        if (isText(left) || isText(right)) return;
        change(node.start, node.end, other === "" ? source(left) : `${source(left)} ${other} ${source(right)}`);
        return;
      }
      case "UnaryExpression": {
        const argument = part("argument");
        if (operator === "!" && argument) change(node.start, node.end, source(argument));
        return;
      }
      case "UpdateExpression":
        change(node.start, node.end, source(node).replace(operator, operator === "++" ? "--" : "++"));
        return;
      case "AssignmentExpression": {
        const other = assignments.get(operator);
        if (left && right && other !== undefined)
          change(node.start, node.end, `${source(left)} ${other} ${source(right)}`);
        return;
      }
      case "ExpressionStatement": {
        const expression = part("expression");
        if (expression && acting.has(expression.type)) change(node.start, node.end, ";");
        return;
      }
      case "ReturnStatement": {
        const argument = part("argument");
        if (argument && argument.type !== "BooleanLiteral") change(argument.start, argument.end, "undefined");
        return;
      }
      case "BreakStatement":
      case "ContinueStatement":
        change(node.start, node.end, ";");
        return;
      case "AwaitExpression": {
        const argument = part("argument");
        if (argument) change(node.start, node.end, source(argument));
        return;
      }
      case "BooleanLiteral":
        change(node.start, node.end, source(node) === "true" ? "false" : "true");
        return;
      case "NumericLiteral":
        change(node.start, node.end, source(node) === "0" ? "1" : `(${source(node)} + 1)`);
        return;
      case "OptionalMemberExpression":
      case "OptionalCallExpression": {
        const before = part("object") ?? part("callee");
        const at = before ? text.indexOf("?.", before.end) : -1;
        if (valueAt(node, "optional") !== true || at === -1) return;
        // Replaces `a?.b` with `a.b`, `a?.[b]` with `a[b]`, and `a?.(b)` with `a(b)`.
        change(at, at + 2, /[[(]/.test(text.charAt(at + 2)) ? "" : ".");
        return;
      }
      case "MemberExpression": {
        const property = part("property");
        const other = property && methods.get(source(property));
        if (property && other !== undefined) change(property.start, property.end, other);
        return;
      }
      case "TaggedTemplateExpression": {
        const [tag, quasi] = [part("tag"), part("quasi")];
        if (tag && quasi && source(tag) === "sql") mutateSql(quasi, text, change);
        return;
      }
    }
  });
  return mutants.toSorted((one, other) => one.start - other.start);
}

/** The replacements of operators. An empty text keeps only the left side. */
const operators = new Map([
  ["<", "<="],
  ["<=", "<"],
  [">", ">="],
  [">=", ">"],
  ["===", "!=="],
  ["!==", "==="],
  ["+", "-"],
  ["-", "+"],
  ["*", "/"],
  ["/", "*"],
  ["%", "*"],
  ["&&", "||"],
  ["||", "&&"],
  ["??", ""],
]);
const assignments = new Map([
  ["+=", "-="],
  ["-=", "+="],
  ["??=", "="],
]);
const methods = new Map([
  ["some", "every"],
  ["every", "some"],
  ["min", "max"],
  ["max", "min"],
]);
const acting = new Set([
  "CallExpression",
  "OptionalCallExpression",
  "AwaitExpression",
  "AssignmentExpression",
  "UpdateExpression",
]);

/** Removes each line that begins with `and`, and inverts each comparison of a condition. */
function mutateSql(template: Node, text: string, change: (start: number, end: number, becomes: string) => void): void {
  let start = template.start + 1;
  for (const line of text.slice(start, template.end - 1).split("\n")) {
    const condition = /^(\s*)(and|where|on|having|when) (.*)$/.exec(line);
    const [whole, blank = "", word = "", rest = ""] = condition ?? [];
    if (whole !== undefined && isBalanced(rest)) {
      const from = start + blank.length;
      if (word === "and") change(from, start + whole.length, "");
      const turned = turnedComparison(rest);
      if (turned !== undefined) change(from, start + whole.length, `${word} ${turned}`);
    }
    start += line.length + 1;
  }
}

const comparisons = new Map([
  ["<", "<="],
  ["<=", "<"],
  [">", ">="],
  [">=", ">"],
  ["=", "<>"],
  ["<>", "="],
  ["not ", ""],
]);

function turnedComparison(condition: string): string | undefined {
  const found = /(?<=\s)(<=|>=|<>|<|>|=)(?=\s)|\bnot /.exec(condition);
  if (!found) return undefined;
  return `${condition.slice(0, found.index)}${comparisons.get(found[0])}${condition.slice(found.index + found[0].length)}`;
}

function isBalanced(text: string): boolean {
  return ["()", "{}"].every(([open = "", close = ""]) => text.split(open).length === text.split(close).length);
}

function isText({ type }: Node): boolean {
  return type === "StringLiteral" || type === "TemplateLiteral";
}

/** Types are removed before the program runs, and imports and declarations have no effect. */
const skipped = /^(TS(?!AsExpression|SatisfiesExpression|NonNull)|Import|ExportAll|TypeAnnotation)/;

function visit(value: unknown, note: (node: Node) => void): void {
  if (Array.isArray(value)) {
    for (const entry of value) visit(entry, note);
    return;
  }
  if (typeof value !== "object" || value === null) return;
  if (isNode(value)) {
    if (skipped.test(value.type)) return;
    note(value);
  }
  for (const [name, child] of Object.entries(value)) if (name !== "loc" && name !== "tokens") visit(child, note);
}

function isNode(value: unknown): value is Node {
  return typeof valueAt(value, "type") === "string" && typeof valueAt(value, "start") === "number";
}

function nodeAt(node: Node, name: string): Node | undefined {
  const value = valueAt(node, name);
  return isNode(value) ? value : undefined;
}

function textAt(node: Node, name: string): string {
  const value = valueAt(node, name);
  return typeof value === "string" ? value : "";
}

function valueAt(value: unknown, name: string): unknown {
  if (typeof value !== "object" || value === null) return undefined;
  return Object.getOwnPropertyDescriptor(value, name)?.value;
}
