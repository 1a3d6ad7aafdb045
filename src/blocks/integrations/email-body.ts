import { render, singleReference } from "../../interpreter/template.ts";
import type { View } from "../../interpreter/view.ts";
import { knownValues } from "./known-values.ts";

/**
 * The body that the author wrote. Where it is nothing but one variable, line breaks of its value are kept; elsewhere values
 * are escaped, unless the body is code.
 */
export function customBody(body: string, { isCode }: { isCode: boolean }, view: View): string {
  const name = singleReference(body);
  const value = name === undefined ? undefined : view.variables.byName(name);
  if (value === undefined || value === null) return render(body, view.templates, isCode ? "plain" : "html");
  return typeof value === "string"
    ? value.replaceAll(/\r?\n/g, lineBreak)
    : value.map((line) => line ?? "").join(lineBreak);
}

/** What is sent where the author wrote nothing: everything that the flow knows, as HTML. */
export function defaultBody(view: View): string {
  const rows = [...knownValues(view, ", ")].map(([name, value]) => `<tr>${cell("th", name)}${cell("td", value)}</tr>`);
  return `<h1>New answers</h1>\n<table>\n${rows.join("\n")}\n</table>`;
}

const lineBreak = "<br />";

function cell(tag: "th" | "td", text: string): string {
  const escaped = text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
  return `<${tag} align="left" valign="top">${escaped.replaceAll(/\r?\n/g, lineBreak)}</${tag}>`;
}
