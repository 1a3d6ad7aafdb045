import { expect, test } from "bun:test";
import type { FlowDocument } from "../../../src/core/interpreter/flow.ts";
import { type Conversation, converse } from "../../support/conversation.ts";

/**
 * A conversation from the test vectors of the flow language. If a decision of this project changed the outcome, both
 * outcomes are listed.
 */
type Vector = Conversation & {
  readonly number: string;
  readonly flow: FlowDocument;
  readonly reference?: string;
  readonly decision?: string;
};

const vectors: readonly Vector[] = await Bun.file(`${import.meta.dir}/walking-vectors.json`).json();

test.each(vectors.map((vector) => [vector.number, vector.title, vector] as const))(
  "%s: %s",
  (_number, _title, vector) => {
    const heard = converse(vector.flow, vector).map((said, index) => {
      const parts = Object.keys(vector.turns[index]?.expect ?? {});
      return Object.fromEntries(Object.entries(said).filter(([part]) => parts.includes(part)));
    });

    expect(heard).toEqual(vector.turns.map((turn) => ({ ...turn.expect })));
  },
);
