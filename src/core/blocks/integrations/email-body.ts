import { pieces, render, singleReference } from "../../interpreter/language/template.ts";
import { readTemplate } from "../../interpreter/language/template-scan.ts";
import type { View } from "../../interpreter/program/view.ts";
import { knownValues } from "./known-values.ts";

/**
 * Renders the author's body. If the body is a single variable, line breaks in its value become `<br />`. In any other
 * body, values are escaped unless the body is code.
 */
export function customBody(body: string, { isCode }: { isCode: boolean }, view: View): string {
  const name = singleReference(body);
  const value = name === undefined ? undefined : view.variables.byName(name);
  if (value === undefined || value === null) return render(body, view.templates, isCode ? "plain" : "html");
  return typeof value === "string"
    ? value.replaceAll(/\r?\n/g, lineBreak)
    : value.map((line) => line ?? "").join(lineBreak);
}

/** Renders the author's HTML. All inserted values are escaped as text, so visitors cannot add markup to the mail. */
export function escapedBody(body: string, view: View): string {
  return pieces(readTemplate(body), view.templates)
    .map(({ kind, text }) => (kind === "literal" ? text : quoted(shown(text))))
    .join("");
}

/** Renders all answers and variables as HTML, for mails without a body. */
export function defaultBody(view: View): string {
  const rows = [...knownValues(view, ", ")].map(([name, value]) => `<tr>${cell("th", name)}${cell("td", value)}</tr>`);
  return `<h1>New answers</h1>\n<table>\n${rows.join("\n")}\n</table>`;
}

const lineBreak = "<br />";

function cell(tag: "th" | "td", text: string): string {
  return `<${tag} align="left" valign="top">${shown(text)}</${tag}>`;
}

/** Converts text to HTML that displays the text unchanged. */
function shown(text: string): string {
  const escaped = text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
  return escaped.replaceAll(/\r?\n/g, lineBreak);
}

/** Escapes quotes so that the HTML can be used inside attribute values. */
function quoted(html: string): string {
  return html.replaceAll('"', "&quot;").replaceAll("'", "&#39;");
}
