/** A rule of a style sheet. */
export type SheetRule = {
  /**
   * A nested rule's selector includes those of the rules around it; an at-rule has the selector of the rule around it.
   */
  readonly selector: string;
  /** The rule's own declarations, without those of nested rules. */
  readonly declarations: string;
  /** Whether the rule is within an at-rule, such as for a size of the window. */
  readonly isConditional: boolean;
};

/**
 * The rules of an author's style sheet, including nested rules and rules within at-rules: enough to find named classes
 * and set properties. Reads any text in one pass; unclosed rules end with the sheet, as in browsers.
 */
export function sheetRules(css: string): SheetRule[] {
  const rules: SheetRule[] = [];
  const open: { selector: string; declarations: string; isConditional: boolean }[] = [];
  let text = "";
  const close = (): void => {
    const rule = open.pop();
    if (rule) rules.push({ ...rule, declarations: rule.declarations + text });
    text = "";
  };
  for (const [token] of css.matchAll(tokens)) {
    if (token.startsWith("/*")) continue;
    // The content of a string names and sets nothing.
    if (/^["']/.test(token)) {
      text += '""';
      continue;
    }
    const around = open.at(-1);
    if (token === "{") {
      const own = text.trim();
      const selector = `${around?.selector ?? ""} ${own.startsWith("@") ? "" : own}`.trim();
      const isConditional = own.startsWith("@") || around?.isConditional === true;
      open.push({ selector: selector.slice(-longestSelector), declarations: "", isConditional });
      text = "";
    } else if (token === "}") {
      close();
    } else if (token === ";") {
      if (around) around.declarations += `${text};`;
      text = "";
    } else {
      text += token;
    }
  }
  while (open.length > 0) close();
  return rules;
}

/** Only this many characters at the end of a nested rule's selector are kept: 31,000 open rules took a minute. */
const longestSelector = 300;

/** Comments, strings, and other text: no character within a string or a comment ends a rule. */
const tokens = /\/\*[\s\S]*?(?:\*\/|$)|"(?:\\[\s\S]|[^"\\\n])*"?|'(?:\\[\s\S]|[^'\\\n])*'?|[{};/]|[^{};"'/]+/g;

/**
 * Whether a sheet draws the bot's messages themselves, and not the background of their text: such sheets were written
 * for our pages before they had that background.
 */
export function drawsMessages(css: string): boolean {
  if (css.includes("bubble-typing") || !css.includes("typebot-host-bubble")) return false;
  return sheetRules(css).some(
    ({ selector, declarations }) =>
      /\.typebot-host-bubble(?![\w-])/.test(selector) && /(^|[;\s])(background|border)[\w-]*\s*:/i.test(declarations),
  );
}
