import { expect, test } from "bun:test";
import { readStep } from "../../../src/web/conversation/step.ts";
import { conversationOf } from "../../../src/web/conversation/transcript.ts";
import { createReporter } from "../../../src/web/embed/events.ts";

test("a reported payment causes no second event for the previous answer", () => {
  const asked = (type: string) => ({ messages: [], input: { id: type, type } });
  const steps = [
    asked("text input"),
    { ...asked("payment input"), reply: { type: "text", text: "Ana" } },
    { ...asked("email input"), reply: null, paid: { amount: 12.5, currency: "EUR" } },
  ].map(readStep);
  const sent: unknown[] = [];
  const reporter = createReporter((name, detail) => name === "answer" && sent.push(detail), { isResumed: false });

  reporter.update(conversationOf(steps.slice(0, 1)));
  reporter.messageSent({ type: "text", text: "Ana" });
  reporter.update(conversationOf(steps.slice(0, 2)));
  reporter.update(conversationOf(steps));

  expect(sent).toEqual([{ message: "Ana", blockId: "text input" }]);
});
