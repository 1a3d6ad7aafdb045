import { expect, test } from "bun:test";
import type { Change, ChangeSet, DraftDocument } from "../../../../src/core/editing/changes/change.ts";
import { valueAtPath } from "../../../../src/core/editing/changes/things.ts";
import { setInBlock } from "../../../../src/web/app/editor/commands/blocks.ts";
import { createEditor, type Editor } from "../../../../src/web/app/editor/editor.ts";
import type { Remains } from "../../../../src/web/app/editor/working-copy/saving.ts";
import { createKeeper, recallTab, type Shelf } from "../../../../src/web/app/editor/working-copy/stored-work.ts";
import type { Transport } from "../../../../src/web/app/editor/working-copy/transport.ts";
import { createVirtualClock, type VirtualClock } from "../../../support/virtual-clock.ts";
import { createFakeService, type FakeService, type Network, shelfInMemory, transportTo } from "./fake-service.ts";

// Tests letters that several people type into one text, from the field to the service and back.

const path = ["content", "richText"];
const tree = (...lines: readonly string[]) => lines.map((text) => ({ type: "p", children: [{ text }] }));
function draftWith(text: string): DraftDocument {
  const says = { id: "says", type: "text", content: { richText: tree(text) }, options: { label: text } };
  return {
    groups: [{ id: "g", blocks: [says, { id: "asks", type: "text input" }] }],
    events: [{ id: "s", type: "start" }],
    edges: [],
    variables: [],
  };
}

type Desk = {
  readonly editor: Editor;
  readonly network: Network;
  readonly bodies: { readonly base: number; readonly changeSets: readonly ChangeSet[] }[];
  text(): string;
  /** Changes the author's text from `over` to `text`. By default, `over` is the current text. */
  type(text: string, over?: string): void;
};

type Room = { readonly clock: VirtualClock; readonly service: FakeService };

function roomOf(text = "Hello"): Room {
  return { clock: createVirtualClock(), service: createFakeService(draftWith(text)) };
}

type Options = {
  readonly remains?: Remains;
  readonly shelf?: Shelf;
  readonly isShared?: () => boolean;
  readonly wrap?: (t: Transport) => Transport;
};

function sit(
  { clock, service }: Room,
  userId: string,
  { remains, shelf, isShared, wrap = (t) => t }: Options = {},
): Desk {
  const network: Network = { isDown: false, delayMs: () => 10, loses: () => "nothing" };
  const bodies: Desk["bodies"][number][] = [];
  const way = wrap(transportTo(service, { clock, network, userId }));
  const keeper = shelf && createKeeper(shelf, "tab", () => {});
  const editor = createEditor({
    opened: { revision: service.log.length, draft: service.draft() },
    clock,
    userId,
    mode: "write",
    ...(remains && { remains }),
    ...(isShared && { isShared }),
    transport: {
      ...way,
      send(base, changeSets) {
        bodies.push({ base, changeSets });
        return way.send(base, changeSets);
      },
    },
    ...(keeper && { onChange: (copy) => keeper.note(copy) }),
  });
  const value = () => valueAtPath(editor.store.find.block("says")?.block, ["options", "label"]);
  return {
    editor,
    network,
    bodies,
    text: () => String(value() ?? ""),
    type(text, over = String(value() ?? "")) {
      const typed = { blockId: "says", path: ["options", "label"], value: text, over: { text: over }, title: "Label" };
      expect(editor.run(setInBlock, typed).kind).toBe("done");
    },
  };
}

test("a keystroke in a very long text sends less than 400 bytes", async () => {
  const long = "word ".repeat(10_000);
  const room = roomOf(long);
  const { editor, bodies } = sit(room, "ada");
  for (const [at, value, over] of [
    [path, tree(`${long.slice(0, 25_000)}x${long.slice(25_000)}`), tree(long)],
    [["options", "label"], `${long.slice(0, 25_000)}x${long.slice(25_000)}`, long],
  ] as const) {
    editor.run(setInBlock, { blockId: "says", path: at, value, over: { text: over }, title: "Text" });
    await room.clock.advance(1_000);
    const changeSets = bodies.at(-1)?.changeSets.map((set) => ({ ...set, id: "0192f0c1-7b1e-4c5e-9a52-3f6d2b8c1a77" }));
    expect(JSON.stringify({ base: 123_456, changeSets }).length).toBeLessThan(400);
    expect(JSON.stringify(changeSets)).toContain('"keep":25000');
  }
});

test("letters typed within a second are one edit", async () => {
  const room = roomOf();
  const [ada, grace] = [sit(room, "ada"), sit(room, "grace")];
  for (const word of ["Hello a", "Hello ad", "Hello ada"]) ada.type(word);
  grace.type("Oh, Hello");
  await room.clock.advance(5_000);
  expect(ada.bodies.flatMap(({ changeSets }) => changeSets.map(({ changes }) => changes.length))).toEqual([1]);
  ada.editor.copy.tell(room.service.log);
  grace.editor.copy.tell(room.service.log);
  expect([ada.text(), grace.text()]).toEqual(["Oh, Hello ada", "Oh, Hello ada"]);
  grace.type("Oh, Hello dear ada");
  grace.type("Oh, Hello dear ada!");
  await room.clock.advance(5_000);
  ada.editor.copy.tell(room.service.log);
  expect(ada.editor.undo()?.left).toEqual([]);
  expect(ada.text()).toBe("Oh, Hellodear !");
  ada.editor.redo();
  expect(ada.text()).toBe("Oh, Hello dear ada!");
  await room.clock.advance(5_000);
  grace.editor.copy.tell(room.service.log);
  grace.editor.undo();
  expect(grace.text()).toBe("Oh, Hello ada");
});

test("letters typed over an older text are inserted into the current text", async () => {
  const room = roomOf();
  const [ada, grace] = [sit(room, "ada"), sit(room, "grace")];
  grace.type("Hello Grace");
  await room.clock.advance(1_000);
  ada.editor.copy.tell(room.service.log);
  // The field shows the change only when a letter that is being composed is complete.
  ada.type("Oh, Hello", "Hello");
  expect(ada.text()).toBe("Oh, Hello Grace");
});

test("typing is sent within a second, and sooner while another person is present", async () => {
  const room = roomOf();
  let isShared = false;
  const { type, bodies } = sit(room, "ada", { isShared: () => isShared });
  type("Hello a");
  await room.clock.advance(600);
  expect(bodies).toHaveLength(0);
  await room.clock.advance(400);
  expect(bodies).toHaveLength(1);
  isShared = true;
  type("Hello ab");
  await room.clock.advance(300);
  expect(bodies).toHaveLength(2);
});

test("an earlier release that rejects edits gets whole texts instead", async () => {
  const room = roomOf();
  const older = (transport: Transport): Transport => ({
    ...transport,
    async send(base, sets) {
      const isKnown = sets.every(({ changes }) => changes.every(({ op }) => op !== "edit"));
      if (isKnown) return transport.send(base, sets);
      const issue = { path: "changeSets[0].changes[0].op", message: 'must be "add", "remove", "move" or "set"' };
      return { kind: "refused", issues: [issue] };
    },
  });
  const { type, editor } = sit(room, "ada", { wrap: older });
  type("Hello Ada");
  await room.clock.advance(5_000);
  const value: Change = { op: "set", of: "block", id: "says", path: ["options", "label"], value: "Hello Ada" };
  expect(room.service.log.map(({ changes }) => changes)).toEqual([[value]]);
  expect(editor.saving.peek()).toEqual({ kind: "saved" });
  expect(editor.held.peek()).toEqual([]);
});

test("letters typed offline are merged with another person's letters", async () => {
  const room = roomOf();
  const shelf = shelfInMemory();
  const away = sit(room, "ada", { shelf });
  away.network.isDown = true;
  away.type("Hello Ada");
  await room.clock.advance(5_000);
  away.editor.close();
  const grace = sit(room, "grace");
  grace.type("Oh, Hello");
  await room.clock.advance(5_000);

  const remains = await recallTab(shelf, "tab");
  if (!remains) throw new Error("Nothing was kept");
  const back = sit(room, "ada", { remains: { ...remains, undo: [], redo: [] } });
  await room.clock.advance(5_000);
  expect(back.text()).toBe("Oh, Hello Ada");
  expect(valueAtPath(room.service.draft().groups[0]?.blocks?.[0], ["options", "label"])).toBe("Oh, Hello Ada");
  expect(back.editor.saving.peek()).toEqual({ kind: "saved" });
});

test("a removed text returns when the author keeps the typed letters", async () => {
  const room = roomOf();
  const ada = sit(room, "ada");
  const grace = sit(room, "grace");
  grace.type("Oh, Hello");
  await room.clock.advance(1_000);
  grace.editor.copy.act("Remove", [{ op: "remove", of: "block", id: "says" }]);
  await room.clock.advance(1_000);
  ada.type("Hello Ada");
  await room.clock.advance(5_000);
  const [held] = ada.editor.held.peek();
  expect(held?.reason).toMatchObject({ kind: "conflict", clashes: [{ mine: "Hello Ada" }] });
  if (held) ada.editor.resolve(held, "mine");
  await room.clock.advance(5_000);
  expect(ada.text()).toBe("Hello Ada");
});

test("two people who fill an empty field both keep their letters", async () => {
  const room = roomOf();
  const [ada, grace] = [sit(room, "ada"), sit(room, "grace")];
  const set = (value: string | undefined, over: string | undefined) => ({
    blockId: "asks",
    path: ["options", "name"],
    value,
    over: { text: over },
    title: "Name",
  });
  ada.editor.copy.act("Make", [{ op: "set", of: "block", id: "asks", path: ["options"], value: {} }]);
  await room.clock.advance(1_000);
  grace.editor.copy.tell(room.service.log);
  ada.editor.run(setInBlock, set("Ada", undefined));
  grace.editor.run(setInBlock, set("Grace", undefined));
  await room.clock.advance(5_000);
  const name = () => valueAtPath(room.service.draft().groups[0]?.blocks?.[1], ["options"]);
  expect(name()).toEqual({ name: "AdaGrace" });
  for (const { editor } of [ada, grace]) {
    editor.copy.tell(room.service.log);
    editor.undo();
    await room.clock.advance(5_000);
  }
  expect(name()).toEqual({});
});
