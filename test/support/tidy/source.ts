/** A source file split into parts. Every part has the length of the whole file, so that positions and lines match. */
export type Source = {
  readonly path: string;
  readonly text: string;
  /**
   * The text without comments and without the contents of strings, templates and patterns, which are replaced by
   * blanks.
   */
  readonly code: string;
  /** Only the comments; all other characters are replaced by blanks. */
  readonly comments: string;
};

/**
 * Splits a TypeScript file into parts. The parser supports only the syntax that is required to distinguish code from
 * text.
 */
export function readSource(path: string, text: string): Source {
  const code = text.split("");
  const comments: string[] = code.map((letter) => (letter === "\n" ? "\n" : " "));
  const blank = (from: number, to: number) => {
    for (let at = from; at < to; at++) if (code[at] !== "\n") code[at] = " ";
  };
  // The kind of each open brace: a block, or an expression in a template.
  const braces: ("block" | "template")[] = [];
  let at = 0;
  while (at < text.length) {
    const rest = text.slice(at, at + 2);
    const letter = text.charAt(at);
    if (rest === "//" || rest === "/*") {
      const end = rest === "//" ? endOf(text, "\n", at) : endOf(text, "*/", at + 2);
      for (let place = at; place < end; place++) comments[place] = text.charAt(place);
      blank(at, end);
      at = end;
    } else if (letter === '"' || letter === "'") {
      const end = endOfString(text, at);
      blank(at + 1, end - 1);
      at = end;
    } else if (letter === "/" && isPatternStart(code, at)) {
      const end = endOfPattern(text, at);
      blank(at + 1, end - 1);
      at = end;
    } else if (letter === "`" || (letter === "}" && braces.at(-1) === "template")) {
      if (letter === "}") braces.pop();
      const end = endOfTemplatePart(text, at);
      const isOver = text.charAt(end - 1) === "`";
      blank(at + 1, isOver ? end - 1 : end - 2);
      if (!isOver) braces.push("template");
      at = end;
    } else {
      if (letter === "{") braces.push("block");
      if (letter === "}") braces.pop();
      at++;
    }
  }
  return { path, text, code: code.join(""), comments: comments.join("") };
}

/** Returns every module that a file references in `from`, `import`, a dynamic import or `require`. */
export function importsOf({ text, code }: Source): string[] {
  return [...code.matchAll(/\b(?:from|import|require)\s*\(?\s*(["'])/g)].map((found) => {
    const start = found.index + found[0].length;
    return text.slice(start, endOfString(text, start - 1) - 1);
  });
}

function endOf(text: string, end: string, from: number): number {
  const found = text.indexOf(end, from);
  return found === -1 ? text.length : found + (end === "\n" ? 0 : end.length);
}

function endOfString(text: string, start: number): number {
  let at = start + 1;
  while (at < text.length && text.charAt(at) !== text.charAt(start)) at += text.charAt(at) === "\\" ? 2 : 1;
  return at + 1;
}

/** Whether the slash at this position starts a pattern, because no value can end before it. */
function isPatternStart(code: readonly string[], at: number): boolean {
  const before = code
    .slice(Math.max(0, at - 200), at)
    .join("")
    .trimEnd();
  return before === "" || /[([{,;=:!&|?+\-*%<>~^]$|\b(?:return|typeof|case|in|of|await|yield)$/.test(before);
}

function endOfPattern(text: string, start: number): number {
  let isInClass = false;
  let at = start + 1;
  while (at < text.length && text.charAt(at) !== "\n") {
    const letter = text.charAt(at);
    if (letter === "/" && !isInClass) return at + 1;
    if (letter === "[") isInClass = true;
    if (letter === "]") isInClass = false;
    at += letter === "\\" ? 2 : 1;
  }
  return at;
}

/** Returns the end of a template part that starts at a backtick or at the brace that ends an expression. */
function endOfTemplatePart(text: string, start: number): number {
  let at = start + 1;
  while (at < text.length) {
    if (text.charAt(at) === "`") return at + 1;
    if (text.startsWith("${", at)) return at + 2;
    at += text.charAt(at) === "\\" ? 2 : 1;
  }
  return at;
}
