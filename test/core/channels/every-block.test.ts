import { describe, expect, test } from "bun:test";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { blocks } from "../../../src/core/blocks/index.ts";
import type { Channel, Rendered } from "../../../src/core/channels/channel.ts";
import { channels, piecesOfSteps } from "../../../src/core/channels/index.ts";
import { plainText } from "../../../src/core/channels/marked-text.ts";
import { piecesOf, type TranscriptOf } from "../../../src/core/channels/pieces.ts";
import { textsOf } from "../../../src/core/channels/texts.ts";
import { textAt } from "../../../src/core/interpreter/flow.ts";
import { play } from "../blocks/one-block.ts";

/** With PARLEY_WRITE_RECORDS=1, the test writes the record for a review instead of comparing it. */
const isWriting = process.env["PARLEY_WRITE_RECORDS"] === "1";

const context = { texts: textsOf(undefined), isGroup: false, token: (index: number) => `t${index}` };

/** Returns the messages of each documented example of each block type, by the example's title. */
function recordOf(channel: Channel) {
  return Object.fromEntries(
    [...blocks.values()].map(({ type, examples }) => [
      type,
      Object.fromEntries(
        examples.map(({ title, block, variables }) => {
          const { asked } = play({ block: { ...block, type }, ...(variables && { variables }) });
          const { messages, actions, input } = asked;
          const pieces = piecesOfSteps([{ messages, clientSideActions: actions, input }]);
          return [title, pieces.map((piece) => shown(channel.render(piece, context)))];
        }),
      ),
    ]),
  );
}

function shown({ messages, acts, losses }: Rendered) {
  return {
    messages: messages.map(({ method, body }) => ({ [method]: body })),
    ...(acts.size > 0 && { acts: Object.fromEntries(acts) }),
    ...(losses.length > 0 && { losses }),
  };
}

describe.each([...channels])("%s", (type, channel) => {
  const record = JSON.parse(JSON.stringify(recordOf(channel)));

  test("a channel has a rule for every type of message and input", () => {
    const unknown = Object.entries(record).filter(([, examples]) =>
      /unknown_(message|input)/.test(JSON.stringify(examples)),
    );

    expect(unknown.map(([name]) => name)).toEqual([]);
  });

  test("a channel renders each documented example exactly as recorded", () => {
    const path = join(import.meta.dir, type, "every-block.json");
    if (isWriting || !existsSync(path)) writeFileSync(path, `${JSON.stringify(record, null, 2)}\n`);

    expect(record).toEqual(JSON.parse(readFileSync(path, "utf8")));
  });
});

test("a bubble of an unknown type is sent as its transcript text", () => {
  const messages = [{ id: "a", type: "line", content: { text: "Part 2" } }];
  const piecesWith = (transcriptOf: TranscriptOf) =>
    piecesOf([{ messages, clientSideActions: [] }], { asKnown: () => undefined, transcriptOf });

  expect(piecesWith(() => (content) => textAt(content, "text"))).toEqual([{ kind: "text", text: plainText("Part 2") }]);
  expect(piecesWith(() => () => undefined)).toEqual([]);
  expect(piecesWith(() => undefined)).toEqual([{ kind: "lost", loss: "unknown_message", what: "line" }]);
});
