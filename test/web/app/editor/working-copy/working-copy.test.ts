import { expect, test } from "bun:test";
import canonicalize from "canonicalize";
import fc from "fast-check";
import type { Change } from "../../../../../src/core/editing/changes/change.ts";
import type { Remains } from "../../../../../src/web/app/editor/working-copy/saving.ts";
import { createKeeper, recallTab, type Shelf } from "../../../../../src/web/app/editor/working-copy/stored-work.ts";
import { createWorkingCopy, type WorkingCopy } from "../../../../../src/web/app/editor/working-copy/working-copy.ts";
import { createDice, type Dice, randomChanges, smallDraft } from "../../../../core/editing/commands.ts";
import { sizeOf } from "../../../../support/campaigns.ts";
import { createVirtualClock, type VirtualClock } from "../../../../support/virtual-clock.ts";
import { createFakeService, type FakeService, type Network, shelfInMemory, transportTo } from "../fake-service.ts";

const steps = sizeOf({ short: 4_000, long: 1_000_000, variable: "PARLEY_EDITING_STEPS" });
const stepsOfStory = 250;

test("editors converge with the service in any order of actions", async () => {
  const told = { sets: 0, clashes: 0, repeats: 0, refusals: 0, reloads: 0, undone: 0 };
  await fc.assert(
    fc.asyncProperty(fc.integer(), fc.integer({ min: 1, max: 5 }), async (seed, count) => {
      const story = await makeStory(createDice(seed), count);
      for (let step = 0; step < stepsOfStory; step++) await takeStep(story);
      await settle(story);
      const { service } = story;
      const text = canonicalize(service.draft()) ?? "";
      for (const { copy } of story.editors) {
        expect(copy.pending()).toEqual([]);
        expect(copy.saving()).toEqual({ kind: "saved" });
        expect(canonicalize(copy.view())).toBe(text);
      }
      const ids = service.log.map(({ id }) => id);
      expect(new Set(ids).size).toBe(ids.length);
      // Every change was saved, its author decided about it, or the decision ended without the author.
      const written = new Set(ids);
      expect([...story.made].filter((id) => !written.has(id) && !story.decided.has(id))).toEqual([]);
      told.sets += ids.length;
      told.clashes += story.clashes;
      told.repeats += service.counts.repeats;
      told.refusals += service.counts.refusals;
      told.reloads += story.reloads;
      told.undone += story.undone;
    }),
    { numRuns: Math.ceil(steps / stepsOfStory) },
  );
  process.stdout.write(`Working copies: ${steps} steps, ${JSON.stringify(told)}\n`);
  expect(Math.min(...Object.values(told))).toBeGreaterThan(5);
}, 3_600_000);

type Editor = { copy: WorkingCopy; readonly network: Network; readonly shelf: Shelf; readonly name: string };
type Story = {
  readonly dice: Dice;
  readonly clock: VirtualClock;
  readonly service: FakeService;
  readonly editors: Editor[];
  readonly made: Set<string>;
  readonly decided: Set<string>;
  names: number;
  clashes: number;
  reloads: number;
  undone: number;
};

async function makeStory(dice: Dice, count: number): Promise<Story> {
  const clock = createVirtualClock();
  const service = createFakeService(smallDraft());
  const story: Story = {
    dice,
    clock,
    service,
    editors: [],
    made: new Set(),
    decided: new Set(),
    names: 0,
    clashes: 0,
    reloads: 0,
    undone: 0,
  };
  for (let index = 0; index < count; index++) {
    const network: Network = {
      isDown: false,
      delayMs: () => dice.below(1_500),
      loses: () => (dice.oneIn(5) ? "request" : dice.oneIn(5) ? "answer" : "nothing"),
    };
    const shelf = shelfInMemory();
    const name = `person${index}`;
    story.editors.push({ copy: open(story, { network, shelf, name }), network, shelf, name });
  }
  return story;
}

function open(story: Story, { network, shelf, name }: Omit<Editor, "copy">, remains?: Remains): WorkingCopy {
  const { clock, service, dice } = story;
  const keeper = createKeeper(shelf, "tab", () => {});
  const revision = remains?.revision ?? service.log.length;
  const copy = createWorkingCopy({
    opened: { revision, draft: service.at(revision) },
    transport: transportTo(service, { clock, network, userId: name }),
    clock,
    newId: () => `${name}-${story.names++}`,
    chance: () => dice.below(100) / 100,
    ...(remains && { remains }),
    listener: {
      onState() {
        // The first call happens while the copy is being created.
        queueMicrotask(() => keeper.note(copy));
      },
      onEnded: (_, { set }) => void story.decided.add(set.id),
    },
  });
  return copy;
}

async function takeStep(story: Story): Promise<void> {
  const { dice, clock, service } = story;
  const editor = dice.pick(story.editors);
  if (!editor) return;
  const { copy, network } = editor;
  switch (dice.below(12)) {
    case 0:
    case 1:
    case 2:
    case 3: {
      const changes = randomChanges(copy.view(), dice, () => `new${story.names++}`);
      copy.act("Act", changes, dice.oneIn(3) ? { field: "same" } : {});
      note(story, copy);
      break;
    }
    case 4:
      if (dice.oneIn(4))
        copy.act("Never stored", [{ op: "set", of: "theme", path: ["chat"], value: { roundness: "refused" } }]);
      note(story, copy);
      break;
    case 5:
      if (copy.undo()) story.undone++;
      note(story, copy);
      break;
    case 6:
      copy.redo();
      note(story, copy);
      break;
    case 7:
      copy.tell(service.log.slice(copy.revision(), copy.revision() + dice.below(4)));
      break;
    case 8:
      network.isDown = dice.oneIn(3);
      break;
    case 9:
      if (dice.oneIn(4)) await reload(story, editor);
      break;
    case 10:
      decide(story, editor);
      break;
    default:
      await clock.advance(dice.below(3_000));
  }
  await clock.settle();
}

function note({ made }: Story, copy: WorkingCopy): void {
  for (const { id } of [...copy.pending(), ...copy.held().map(({ set }) => set)]) made.add(id);
}

function decide(story: Story, { copy }: Pick<Editor, "copy">): void {
  const held = copy.held()[0];
  if (!held) return;
  story.clashes++;
  story.decided.add(held.set.id);
  const choice = held.reason.kind === "conflict" && story.dice.oneIn(2) ? "mine" : "theirs";
  copy.resolve(held, choice);
  note(story, copy);
}

/** Discards the page's memory, and restores the stored work. */
async function reload(story: Story, editor: Editor): Promise<void> {
  story.reloads++;
  await story.clock.settle();
  editor.copy.close();
  editor.copy = open(story, editor, await recallTab(editor.shelf, "tab"));
}

/** Restores the network, and lets every author resolve their conflicts. */
async function settle(story: Story): Promise<void> {
  const { clock, editors } = story;
  for (const { network } of editors) {
    network.isDown = false;
    network.loses = () => "nothing";
  }
  for (let round = 0; round < 30; round++) {
    for (const editor of editors) {
      while (editor.copy.held().length > 0) decide(story, editor);
      void editor.copy.catchUp();
    }
    await clock.advance(60_000);
    if (editors.every(({ copy }) => isDone(copy, story.service))) return;
  }
}

function isDone(copy: WorkingCopy, { log }: FakeService): boolean {
  return copy.pending().length === 0 && copy.held().length === 0 && copy.revision() === log.length;
}

function alone(): {
  copy: WorkingCopy;
  clock: VirtualClock;
  service: FakeService;
  network: Network;
  requests: () => number;
} {
  const clock = createVirtualClock();
  const service = createFakeService(smallDraft());
  const network: Network = { isDown: false, delayMs: () => 10, loses: () => "nothing" };
  let names = 0;
  let requests = 0;
  const transport = transportTo(service, { clock, network, userId: "ada" });
  const copy = createWorkingCopy({
    opened: { revision: 0, draft: service.draft() },
    userId: "ada",
    transport: {
      ...transport,
      send(...sent) {
        requests++;
        return transport.send(...sent);
      },
    },
    clock,
    newId: () => `mine-${names++}`,
    chance: () => 0.5,
  });
  return { copy, clock, service, network, requests: () => requests };
}

const title = (value: string): Change => ({ op: "set", of: "group", id: "g1", path: ["title"], value });
const titleOf = (copy: WorkingCopy) => copy.view().groups[0]?.title;

test("typing in one field is sent within a second as one set", async () => {
  const { copy, clock, service, requests } = alone();
  for (const word of ["H", "He", "Hel", "Hell", "Hello"]) {
    copy.act("Rename", [title(word)], { field: "group/g1/title" });
    await clock.advance(100);
  }
  expect(copy.saving()).toEqual({ kind: "saving" });
  await clock.advance(1_000);
  expect(requests()).toBe(1);
  expect(service.log.map(({ changes }) => changes)).toEqual([[title("Hello")]]);
  expect(copy.saving()).toEqual({ kind: "saved" });
  expect(copy.undo()).toEqual({ title: "Rename", left: [] });
  expect(titleOf(copy)).toBe("One");
  expect(copy.undo()).toBeUndefined();
  expect(copy.redo()?.title).toBe("Rename");
  await clock.advance(1_000);
  expect(titleOf(copy)).toBe("Hello");
  expect(canonicalize(service.draft())).toBe(canonicalize(copy.view()) ?? "");
});

test("offline changes are retried at growing intervals", async () => {
  const { copy, clock, service, network, requests } = alone();
  network.isDown = true;
  for (let count = 0; count < 20; count++) copy.act(`Act ${count}`, [title(String(count))]);
  await clock.advance(720);
  expect(copy.saving()).toEqual({ kind: "offline", nextTryAt: 1_710 });
  await clock.advance(70_000);
  expect(requests()).toBe(7);
  network.isDown = false;
  copy.retry();
  await clock.advance(100);
  expect(copy.saving()).toEqual({ kind: "saved" });
  expect(service.log.map((set) => set.title)).toEqual(Array.from({ length: 20 }, (_, count) => `Act ${count}`));
});

test("the retry delay is reset after a successful save", async () => {
  const { copy, clock, network } = alone();
  const failsAt = async (name: string) => {
    const begunAt = clock.now();
    network.isDown = true;
    copy.act("Rename", [title(name)]);
    await clock.advance(720);
    const saving = copy.saving();
    const waits = saving.kind === "offline" ? (saving.nextTryAt ?? 0) - begunAt : saving;
    await clock.advance(20_000);
    network.isDown = false;
    await clock.advance(60_000);
    expect(copy.saving()).toEqual({ kind: "saved" });
    return waits;
  };

  expect([await failsAt("First"), await failsAt("Second")]).toEqual([1_710, 1_710]);
});

test("a closed working copy ignores changes that arrive late", async () => {
  const { copy, clock, service } = alone();
  service.send(0, [{ id: "theirs", title: "Theirs", changes: [title("Theirs")] }], "bob");
  const caughtUp = copy.catchUp();
  copy.close();
  await clock.advance(1_000);
  await caughtUp;

  expect(copy.revision()).toBe(0);
});

test("a refused set does not prevent independent sets from being saved", async () => {
  const { copy, clock, service } = alone();
  copy.act("Good", [title("Good")]);
  copy.act("Bad", [{ op: "set", of: "block", id: "b1", path: ["content"], value: "refused" }]);
  copy.act("Also good", [{ op: "set", of: "group", id: "g2", path: ["title"], value: "Also" }]);
  await clock.advance(2_000);
  expect(service.log.map((set) => set.title)).toEqual(["Good", "Also good"]);
  expect(copy.held().map(({ set, reason }) => [set.title, reason.kind])).toEqual([["Bad", "refused"]]);
  expect(copy.saving()).toEqual({ kind: "refused" });
  expect(canonicalize(copy.view())).toBe(canonicalize(service.draft()) ?? "");
});

test("a conflicting change of one field shows both values", async () => {
  const { copy, clock, service } = alone();
  service.send(0, [{ id: "theirs", title: "Rename", changes: [title("Theirs")] }], "grace");
  copy.act("Rename", [title("Mine")]);
  copy.act("Other", [{ op: "set", of: "group", id: "g2", path: ["title"], value: "Other" }]);
  await clock.advance(2_000);
  // The open conflict does not delay other changes.
  expect(copy.saving()).toEqual({ kind: "saved" });
  expect(titleOf(copy)).toBe("Theirs");
  expect(service.log.map((set) => set.title)).toEqual(["Rename", "Other"]);
  const [held] = copy.held();
  expect(held?.reason).toEqual({
    kind: "conflict",
    restore: [],
    clashes: [
      {
        of: "group",
        id: "g1",
        path: ["title"],
        theirs: "Theirs",
        mine: "Mine",
        before: "One",
        by: { userId: "grace", name: "grace" },
        at: "2026-11-23T00:00:00.000Z",
      },
    ],
  });
  if (held) copy.resolve(held, "mine");
  await clock.advance(2_000);
  expect(titleOf(copy)).toBe("Mine");
  expect(service.draft().groups[0]?.title).toBe("Mine");
  expect(copy.saving()).toEqual({ kind: "saved" });
});

test("the client's revision stays correct if a conflicting set is stored", async () => {
  const { copy, clock, service } = alone();
  const nameOf = (id: string, value: string): Change => ({ op: "set", of: "group", id, path: ["title"], value });
  copy.act("Rename two", [nameOf("g1", "Same"), nameOf("g2", "Mine")]);
  copy.act("Rename three", [nameOf("g3", "Mine")]);
  await clock.advance(705);
  // While both sets are being sent, two changes of another author precede them. This copy has only received the first
  // of the two changes.
  service.send(0, [{ id: "other", title: "Theirs", changes: [nameOf("g1", "Other")] }], "grace");
  service.send(1, [{ id: "same", title: "Theirs", changes: [nameOf("g1", "Same")] }], "grace");
  copy.tell(service.log.slice(0, 1));
  const [held] = copy.held();
  if (held) copy.resolve(held, "theirs");
  await clock.advance(1_000);

  expect(service.log.map((set) => set.title)).toEqual(["Theirs", "Theirs", "Rename two", "Rename three"]);
  expect(copy.revision()).toBe(4);
  expect(copy.view().groups.map((group) => group.title)).toEqual(["Same", "Mine", "Mine"]);
  expect(canonicalize(copy.view())).toBe(canonicalize(service.draft()) ?? "");
});

test("keeping an edit restores the group that another person removed", async () => {
  const { copy, clock, service } = alone();
  const edit: Change = { op: "set", of: "block", id: "b1", path: ["content"], value: { text: "Mine" } };
  service.send(0, [{ id: "theirs", title: "Remove", changes: [{ op: "remove", of: "group", id: "g1" }] }], "grace");
  copy.act("Write", [edit]);
  await clock.advance(2_000);
  const [held] = copy.held();
  expect(copy.view().groups.map(({ id }) => id)).toEqual(["g2", "g3"]);
  if (held) copy.resolve(held, "mine");
  await clock.advance(2_000);
  expect(service.draft().groups.map(({ id, blocks }) => [id, blocks?.[0]?.id])).toContainEqual(["g1", "b1"]);
  expect(JSON.stringify(service.draft())).toContain('"text":"Mine"');
});

test("undo keeps later changes of other people, and names the people", async () => {
  const { copy, clock, service } = alone();
  copy.act("Rename both", [title("Mine"), { op: "set", of: "group", id: "g2", path: ["title"], value: "Mine too" }]);
  await clock.advance(1_000);
  service.send(1, [{ id: "theirs", title: "Rename", changes: [title("Theirs")] }], "grace");
  copy.tell(service.log);
  const undone = copy.undo();
  expect(undone?.left.map(({ id, theirs, by }) => [id, theirs, by?.name])).toEqual([["g1", "Theirs", "grace"]]);
  expect(copy.view().groups.map((group) => group.title)).toEqual(["Theirs", "Two", "Three"]);
  copy.redo();
  expect(copy.view().groups.map((group) => group.title)).toEqual(["Theirs", "Mine too", "Three"]);
});

test.each([1, 2_001])(
  "undo restores the last value of another person (number of changes by the other person: %i)",
  (count) => {
    const { copy, service } = alone();
    for (let base = 0; base < count; base++) {
      service.send(base, [{ id: `theirs-${base}`, title: "Rename", changes: [title(`Theirs ${base}`)] }], "grace");
    }
    copy.tell(service.log);
    copy.act("Rename", [title("Mine")]);

    expect(copy.undo()).toEqual({ title: "Rename", left: [] });
    expect(titleOf(copy)).toBe(`Theirs ${count - 1}`);
  },
);

test("a restored version can be undone only by the person who restored it", async () => {
  const { copy, clock, service } = alone();
  const restored = (by: string, to: string) =>
    service.restore({ id: `${by}-${to}`, title: "Restored version 3", changes: [title(to)] }, by);
  restored("grace", "Theirs");
  copy.tell(service.log);
  expect(copy.undo()).toBeUndefined();
  restored("ada", "Mine");
  copy.tell(service.log);
  expect(titleOf(copy)).toBe("Mine");
  expect(copy.undo()?.title).toBe("Restored version 3");
  expect(titleOf(copy)).toBe("Theirs");
  copy.redo();
  expect(titleOf(copy)).toBe("Mine");
  await clock.advance(60_000);
  expect(copy.pending()).toEqual([]);
});

test("the last thousand changes can be undone and redone", async () => {
  const { copy, clock } = alone();
  for (let count = 0; count < 1_050; count++) copy.act(`Act ${count}`, [title(String(count))]);
  await clock.advance(60_000);
  let undone = 0;
  while (copy.undo()) undone++;
  expect(undone).toBe(1_000);
  expect(titleOf(copy)).toBe("49");
  let redone = 0;
  while (copy.redo()) redone++;
  expect(redone).toBe(1_000);
  expect(titleOf(copy)).toBe("1049");
});

test("a browser without storage is reported once", async () => {
  const { copy } = alone();
  const broken: boolean[] = [];
  const refuses: Shelf = { write: () => Promise.reject(new Error("full")), list: async () => [] };
  const keeper = createKeeper(refuses, "tab", (isNow) => broken.push(isNow));
  keeper.note(copy);
  keeper.note(copy);
  await keeper.settled();
  keeper.note(copy);
  await keeper.settled();
  expect(broken).toEqual([true]);
});
