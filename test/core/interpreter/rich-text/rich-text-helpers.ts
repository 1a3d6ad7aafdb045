import type { Piece } from "../../../../src/core/interpreter/language/template-scan.ts";
import type { RichElement, RichNode, Templating } from "../../../../src/core/interpreter/rich-text/nodes.ts";

/** Replaces the templating module. `{{name}}` is a variable, and `{{=name=}}` is code that returns the same value. */
export function templatingWith(variables: Readonly<Record<string, string>>): Templating {
  const values = new Map(Object.entries(variables));
  const reference = /\{\{=(.+?)=\}\}|\{\{([^{}]+)\}\}/g;
  return {
    pieces: ({ text }) => {
      const pieces: Piece[] = [];
      let end = 0;
      for (const match of text.matchAll(reference)) {
        pieces.push({ kind: "literal", text: text.slice(end, match.index) });
        const [code, name] = [match[1], match[2]];
        pieces.push({
          kind: "reference",
          text: values.get(code ?? name ?? "") ?? "",
          isPlainVariable: code === undefined,
        });
        end = match.index + match[0].length;
      }
      pieces.push({ kind: "literal", text: text.slice(end) });
      return pieces.filter((piece) => piece.kind === "reference" || piece.text !== "");
    },
    plain: (text) => text.replaceAll(reference, (_, code, name) => values.get(code ?? name) ?? ""),
  };
}

export function p(...children: readonly (RichNode | string)[]): RichElement {
  return element("p", ...children);
}

export function element(type: string, ...children: readonly (RichNode | string)[]): RichElement {
  return { type, children: children.map((child) => (typeof child === "string" ? { text: child } : child)) };
}

/** Returns a list item with a text as its first line, and further nodes. */
export function li(content: string, ...more: readonly RichNode[]): RichElement {
  return element("li", element("lic", content), ...more);
}
