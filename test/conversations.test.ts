import { describe, expect, test } from "bun:test";
import { basename, dirname } from "node:path";
import { Glob } from "bun";
import type { FlowDocument } from "../src/interpreter/flow.ts";
import { type Conversation, converse } from "./support/conversation.ts";

const here = import.meta.dir;

for await (const path of new Glob("conversations/*/*.json").scan(here)) {
  const conversation: Conversation = await Bun.file(`${here}/${path}`).json();
  const flow: FlowDocument =
    typeof conversation.flow === "string"
      ? await Bun.file(`${here}/flows/${conversation.flow}.json`).json()
      : conversation.flow;

  describe(`${basename(dirname(path))}: ${conversation.title}`, () => {
    const heard = converse(flow, conversation);
    for (const [index, turn] of conversation.turns.entries()) {
      const says = turn.say === undefined ? "at the start" : `after ${JSON.stringify(turn.say)}`;
      test(`turn ${index + 1}, ${says}`, () => {
        const named = Object.entries(heard[index] ?? {}).filter(([part]) => part in turn.expect);
        expect(Object.fromEntries(named)).toEqual(turn.expect);
      });
    }
  });
}
