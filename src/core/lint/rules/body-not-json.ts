import { textAt, valueAt } from "../../interpreter/flow.ts";
import { isWrittenAsJson, kindOfBody, namesJson } from "../../interpreter/language/request-body.ts";
import { type LintedBlock, placeIn } from "../facts.ts";
import type { Rule } from "../rule.ts";

export const bodyNotJson: Rule = {
  name: "body_not_json",
  severity: "warning",
  about:
    "The body of a request seems to be JSON, by its type or because it begins as JSON does, and is none: a comma, a quote or a bracket is missing or too many. Each variable counts as a number. Such a body is sent as a text, in which values are not escaped unless the type is JSON. Bodies of lines that are JSON each are not reported, nor is a body that is one variable.",
  advice: "Complete the JSON, or set the header Content-Type to the type that the body has.",
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
            ? "The body begins as JSON and is none, so it is sent as a text."
            : "The type of the body is JSON, and its text is none.",
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
