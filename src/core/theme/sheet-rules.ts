export type SheetRule = {
  /**
   * The selector of the rule. A nested rule's selector includes the selectors of the enclosing rules. An at-rule has
   * the selector of its enclosing rule.
   */
  readonly selector: string;
  /** The rule's own declarations, without declarations of nested rules. */
  readonly declarations: string;
  /** Whether the rule is an at-rule, such as a media query, or inside an at-rule. */
  readonly isConditional: boolean;
};

/**
 * Parses the rules of an author's style sheet, including nested rules and rules in at-rules, in enough detail to find
 * class names and properties. Any text is parsed in one pass. Unclosed rules end with the style sheet, as in browsers.
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
    // The content of a string contains no selectors or declarations.
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

/**
 * The maximum length of a selector with the selectors of its enclosing rules. Only the end of a longer selector is
 * kept. Without a limit, 31,000 open rules took a minute.
 */
const longestSelector = 300;

/** Matches comments, strings and other text, so that no character inside a string or comment ends a rule. */
const tokens = /\/\*[\s\S]*?(?:\*\/|$)|"(?:\\[\s\S]|[^"\\\n])*"?|'(?:\\[\s\S]|[^'\\\n])*'?|[{};/]|[^{};"'/]+/g;

/**
 * Whether a style sheet sets a background or border for the bot's messages but does not mention `bubble-typing`, the
 * background of their text. Authors wrote such style sheets before our pages had this background.
 */
export function drawsMessages(css: string): boolean {
  if (css.includes("bubble-typing") || !css.includes("typebot-host-bubble")) return false;
  return sheetRules(css).some(
    ({ selector, declarations }) =>
      /\.typebot-host-bubble(?![\w-])/.test(selector) && /(^|[;\s])(background|border)[\w-]*\s*:/i.test(declarations),
  );
}
