import fc from "fast-check";
import { textAt, valueAt } from "../../src/core/interpreter/flow.ts";
import type { InputMessage } from "../../src/core/interpreter/program/outcome.ts";
import type { Reply } from "../../src/core/interpreter/program/state.ts";
import { words } from "./flows-arbitrary.ts";

/** Generates replies of a visitor or of a visitor's client. */
export function visitorReplies(): fc.Arbitrary<Reply | null> {
  const text = fc.record(
    {
      type: fc.constant("text" as const),
      text: fc.oneof(
        { weight: 4, arbitrary: said },
        { weight: 1, arbitrary: fc.string({ unit: "binary", maxLength: 20 }) },
      ),
      replyId: fc.constantFrom("i0", "i1", "choice0", "p0"),
      attachedFileUrls: fc.array(fc.constantFrom("https://example.com/a.png", ""), { maxLength: 2 }),
    },
    { requiredKeys: ["type", "text"] },
  );
  const audio = fc.constant({ type: "audio" as const, url: "https://example.com/said.webm" });
  const command = fc.record({ type: fc.constant("command" as const), command: fc.constantFrom("help", "nobody") });
  return fc.oneof(
    { weight: 8, arbitrary: text },
    { weight: 1, arbitrary: audio },
    { weight: 1, arbitrary: command },
    { weight: 1, arbitrary: fc.constant(null) },
  );
}

/** Returns a reply that the input most likely accepts. */
export function fittingReply(input: InputMessage | undefined, luck: number): Reply {
  const items = Array.isArray(input?.["items"]) ? input["items"] : [];
  const item: unknown = items[luck % Math.max(1, items.length)];
  const path = valueAt(item, "paths");
  const id = textAt(Array.isArray(path) ? path[0] : undefined, "id") ?? textAt(item, "id");
  const text = textAt(item, "content") ?? textAt(item, "title") ?? fittingTexts.get(input?.type ?? "") ?? "Yes";
  return { type: "text", text, ...(id !== undefined && { replyId: id }) };
}

const fittingTexts: ReadonlyMap<string, string> = new Map([
  ["number input", "12"],
  ["email input", "ana@example.com"],
  ["url input", "https://example.com"],
  ["date input", "2026-11-20 to 2026-11-25"],
  ["time input", "14:30"],
  ["phone number input", "+33612345678"],
  ["rating input", "5"],
  ["file input", "https://example.com/a.png"],
  ["signature input", "https://example.com/a.png"],
]);

const said = fc.oneof(
  words,
  fc.constantFrom('{"data":{"a":[1]},"statusCode":200}', "[[[[[[]]]]]]", "null", "fail", "1", "2 and 3", "i0", "p0"),
);
