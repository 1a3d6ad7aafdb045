import { expect, test } from "bun:test";
import type { DraftDocument } from "../../../../src/core/editing/changes/change.ts";
import { writeText } from "../../../../src/web/app/editor/commands/blocks.ts";
import { createEditor } from "../../../../src/web/app/editor/editor.ts";
import { createVirtualClock } from "../../../support/virtual-clock.ts";
import { createFakeService, type Network, transportTo } from "./fake-service.ts";

const tree = (...lines: readonly string[]) => lines.map((text) => ({ type: "p", children: [{ text }] }));
const draft: DraftDocument = {
  groups: [{ id: "g", blocks: [{ id: "b", type: "text", content: { richText: tree("Hello") } }] }],
  events: [{ id: "s", type: "start" }],
  edges: [],
  variables: [],
};

test("all changes to a text while its editor is open are one undo step", async () => {
  const clock = createVirtualClock();
  const service = createFakeService(draft);
  const network: Network = { isDown: false, delayMs: () => 10, loses: () => "nothing" };
  const editor = createEditor({
    opened: { revision: 0, draft },
    clock,
    transport: transportTo(service, { clock, network, userId: "ada" }),
    mode: "write",
  });
  const text = () => JSON.stringify(editor.store.find.block("b")?.block["content"]);
  const write = (opening: string, ...lines: readonly string[]) =>
    editor.run(writeText, { blockId: "b", tree: tree(...lines), opening, title: "Text" });
  const first = text();

  write("1", "Hello Ada");
  await clock.advance(5_000);
  write("1", "Hello Ada", "and Bob");
  await clock.advance(60_000);
  write("1", "Good day", "and Bob");
  const once = text();
  await clock.advance(100);
  write("2", "Bye");

  editor.undo();
  expect(text()).toBe(once);
  editor.undo();
  expect(text()).toBe(first);
  expect(editor.undoTitle.peek()).toBeUndefined();
  editor.redo();
  expect(text()).toBe(once);
});
