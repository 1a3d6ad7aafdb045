import { describe, expect, test } from "bun:test";
import { basename, dirname } from "node:path";
import { Glob } from "bun";
import type { FlowDocument } from "../src/core/interpreter/flow.ts";
import { withBuilderIds } from "./support/builder-ids.ts";
import { type Conversation, converse } from "./support/conversation.ts";

const here = import.meta.dir;

/** The code of this flow names a variable by its id, as flows of other services may. */
const namesAnId = "scripts/worlds-of-their-own.json";

for await (const path of new Glob("conversations/*/*.json").scan(here)) {
  const conversation: Conversation = await Bun.file(`${here}/${path}`).json();
  const flow: FlowDocument =
    typeof conversation.flow === "string"
      ? await Bun.file(`${here}/flows/${conversation.flow}.json`).json()
      : conversation.flow;

  describe(`${basename(dirname(path))}: ${conversation.title}`, () => {
    const heard = converse(flow, conversation);
    // Flows from the builder have different ids and the same texts.
    const { document, original } = withBuilderIds({ flow, conversation });
    const heardOfBuilt = path.endsWith(namesAnId) ? heard : original(converse(document.flow, document.conversation));
    for (const [index, turn] of conversation.turns.entries()) {
      const says = turn.say === undefined ? "at the start" : `after ${JSON.stringify(turn.say)}`;
      const named = (said: object) => Object.fromEntries(Object.entries(said).filter(([part]) => part in turn.expect));
      test(`the bot responds as expected in turn ${index + 1}, ${says}`, () => {
        expect(named(heard[index] ?? {})).toEqual(turn.expect);
        expect(named(heardOfBuilt[index] ?? {})).toEqual(turn.expect);
      });
    }
  });
}
