import { textAt, valueAt } from "../../interpreter/flow.ts";
import { isWrittenAsJson, kindOfBody, namesJson } from "../../interpreter/language/request-body.ts";
import { type LintedBlock, placeIn } from "../facts.ts";
import type { Rule } from "../rule.ts";

export const bodyNotJson: Rule = {
  name: "body_not_json",
  severity: "warning",
  about:
    "The type or the first character of a request's body indicates JSON, but the body is not valid JSON: a comma, a quote or a bracket is missing or superfluous. The rule treats each variable as a number. Parley sends such a body as text, and escapes values only if the type is JSON. The rule does not report bodies whose lines are each JSON, or bodies that consist of one variable.",
  advice: "Correct the JSON, or set the Content-Type header to the actual type of the body.",
  *find({ blocks, registry }) {
    for (const linted of blocks) {
      if (!registry.get(linted.block.type)?.listsAnswers || !isCustom(linted)) continue;
      const webhook = valueAt(linted.block.options, "webhook");
      const body = textAt(webhook, "body") ?? "";
      const type = typeIn(valueAt(webhook, "headers"));
      const isMeant = type === "" ? /^\s*[{[]/.test(body) && !body.trim().startsWith("{{") : namesJson(type);
      if (!isMeant || body.trim() === "" || kindOfBody(body, "") === "value" || isMadeOfJson(body)) continue;
      yield {
        ...placeIn(linted, "options.webhook.body"),
        message:
          type === ""
            ? "The body looks like JSON but is not valid JSON, so it is sent as text."
            : "The type of the body is JSON, but its text is not valid JSON.",
      };
    }
  },
};

function isCustom({ block }: LintedBlock): boolean {
  const body = textAt(block.options, "webhook", "body");
  return valueAt(block.options, "isCustomBody") === true && body !== "{{state}}";
}

function isMadeOfJson(body: string): boolean {
  return isWrittenAsJson(body) || body.split("\n").every((line) => line.trim() === "" || isWrittenAsJson(line));
}

function typeIn(headers: unknown): string {
  const list: readonly unknown[] = Array.isArray(headers) ? headers : [];
  const typed = list.findLast((header) => textAt(header, "key")?.trim().toLowerCase() === "content-type");
  return textAt(typed, "value")?.trim() ?? "";
}
