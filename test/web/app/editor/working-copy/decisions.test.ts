import { describe, expect, test } from "bun:test";
import type { Change } from "../../../../../src/core/editing/changes/change.ts";
import { decisionsOf } from "../../../../../src/web/app/editor/working-copy/decisions.ts";
import type { Listener } from "../../../../../src/web/app/editor/working-copy/listener.ts";
import type { Remains } from "../../../../../src/web/app/editor/working-copy/saving.ts";
import type { DraftAt } from "../../../../../src/web/app/editor/working-copy/transport.ts";
import { createWorkingCopy, type WorkingCopy } from "../../../../../src/web/app/editor/working-copy/working-copy.ts";
import { smallDraft } from "../../../../core/editing/commands.ts";
import { createVirtualClock } from "../../../../support/virtual-clock.ts";
import { createFakeService, type FakeService, type Network, transportTo } from "../fake-service.ts";

const title = (value: string): Change => ({ op: "set", of: "group", id: "g1", path: ["title"], value });
const titleOf = (copy: WorkingCopy) => copy.view().groups[0]?.title;
const network: Network = { isDown: false, delayMs: () => 10, loses: () => "nothing" };

type Begun = { readonly service: FakeService; readonly opened: DraftAt; readonly remains: Remains };

/** Opens Ada's editor of a draft, at the beginning or after a reload. */
function begin(listener: Listener, begun?: Begun) {
  const clock = createVirtualClock();
  const service = begun?.service ?? createFakeService(smallDraft());
  let names = 0;
  const copy = createWorkingCopy({
    opened: begun?.opened ?? { revision: 0, draft: service.draft() },
    userId: "ada",
    transport: transportTo(service, { clock, network, userId: "ada" }),
    clock,
    newId: () => `mine-${names++}`,
    chance: () => 0.5,
    listener,
    ...(begun && { remains: begun.remains }),
  });
  return { copy, clock, service };
}

describe("a conflict that its author must resolve", () => {
  type Sets = Parameters<FakeService["send"]>[1];
  const theirs = (id: string, value: string): Sets => [{ id, title: "Rename", changes: [title(value)] }];
  /** Creates a conflict between Ada's change and another author's, and records its outcome. */
  async function undecided() {
    const endings: string[] = [];
    const world = begin({ onEnded: (how) => endings.push(how) });
    const { copy, clock, service } = world;
    const catchUp = async (): Promise<void> => {
      const done = copy.catchUp();
      await clock.advance(1_000);
      await done;
    };
    const say = async (sets: Sets): Promise<void> => {
      service.send(service.log.length, sets, "grace");
      await catchUp();
    };
    service.send(0, theirs("theirs", "Theirs"), "grace");
    copy.act("Rename", [title("Mine")]);
    await clock.advance(2_000);
    const values = () => decisionsOf(copy.held(), copy.view()).map(({ mine, theirs: other }) => [mine, other]);
    expect(values()).toEqual([["Mine", "Theirs"]]);
    return { ...world, catchUp, say, values, endings };
  }

  test("a conflict shows the newest value of the other author", async () => {
    const { say, values } = await undecided();
    await say(theirs("more", "Theirs, later"));
    expect(values()).toEqual([["Mine", "Theirs, later"]]);
  });

  test("a conflict ends when both values are equal", async () => {
    const { say, values, endings } = await undecided();
    await say(theirs("same", "Mine"));
    expect([values(), endings]).toEqual([[], ["equal"]]);
  });

  test("a conflict ends when its author writes the field again", async () => {
    const { copy, clock, service, values, endings } = await undecided();
    copy.act("Other", [{ op: "set", of: "group", id: "g2", path: ["title"], value: "Other" }]);
    expect(values()).toHaveLength(1);
    copy.act("Rename", [title("Mine, again")]);
    expect([values(), endings]).toEqual([[], ["mine"]]);
    await clock.advance(2_000);
    expect(service.draft().groups[0]?.title).toBe("Mine, again");
  });

  test("a conflict ends when its author undoes the change", async () => {
    const { copy, values, endings } = await undecided();
    expect(copy.undoTitle()).toBe("Rename");
    expect(copy.undo()).toEqual({ title: "Rename", left: [] });
    expect([values(), endings, titleOf(copy)]).toEqual([[], ["undone"], "Theirs"]);
    expect(copy.undo()).toBeUndefined();
  });

  test("a conflicting change is undone only after later changes", async () => {
    const { copy, values } = await undecided();
    copy.act("Other", [{ op: "set", of: "group", id: "g2", path: ["title"], value: "Other" }]);
    expect(copy.undo()?.title).toBe("Other");
    expect(values()).toHaveLength(1);
    expect(copy.undo()?.title).toBe("Rename");
    expect(values()).toHaveLength(0);
  });

  test("a conflict ends when its author removes the element", async () => {
    const { copy, values, endings } = await undecided();
    copy.act("Remove", [{ op: "remove", of: "group", id: "g1" }]);
    expect([values(), endings]).toEqual([[], ["removed"]]);
  });

  test("a conflict ends when a version is restored", async () => {
    const { service, catchUp, values, endings } = await undecided();
    service.restore({ id: "r", title: "Restore", changes: [title("Of then")] }, "grace");
    await catchUp();
    expect([values(), endings]).toEqual([[], ["restored"]]);
  });

  test("a new conflict of a field replaces the older conflict of the same field", async () => {
    const { copy, clock, service, values } = await undecided();
    service.send(service.log.length, theirs("more", "Theirs, later"), "grace");
    copy.act("Other", [{ op: "set", of: "group", id: "g2", path: ["title"], value: "Other" }]);
    const [older] = copy.held();
    await clock.advance(2_000);
    service.send(service.log.length, theirs("third", "Theirs, third"), "grace");
    // The title is changed again, which ends the first conflict and causes another.
    copy.act("Rename", [title("Mine, second")]);
    await clock.advance(2_000);
    expect(values()).toEqual([["Mine, second", "Theirs, third"]]);
    expect(copy.held()).not.toContain(older);
  });

  test("a conflict that occurs twice before the other value arrives is shown once", async () => {
    const { copy, clock, service } = begin({});
    service.send(0, [{ id: "theirs", title: "Rename", changes: [title("Theirs")] }], "grace");
    for (const value of ["Mine", "Mine, later"]) copy.act("Rename", [title(value)]);
    await clock.advance(2_000);
    expect(decisionsOf(copy.held(), copy.view()).map(({ mine }) => mine)).toEqual(["Mine, later"]);
  });

  test("a conflict survives a reload with the current values", async () => {
    const { copy, service } = await undecided();
    const { undo, redo } = copy.history();
    const remains = { revision: copy.revision(), pending: [], held: copy.held(), undo, redo };
    service.send(service.log.length, theirs("later", "Theirs, later"), "grace");
    const opened = { revision: service.log.length, draft: service.draft() };
    const again = (draft = opened) => begin({}, { service, opened: draft, remains }).copy;
    const [decision] = decisionsOf(again().held(), again().view());
    expect([decision?.mine, decision?.theirs]).toEqual(["Mine", "Theirs, later"]);
    service.send(service.log.length, theirs("same", "Mine"), "grace");
    expect(again({ revision: service.log.length, draft: service.draft() }).held()).toEqual([]);
  });
});
