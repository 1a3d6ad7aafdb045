import { expect, test } from "bun:test";
import canonicalize from "canonicalize";
import fc from "fast-check";
import { apply, applyUndoably, ChangeMisses } from "../../../src/core/editing/changes/apply.ts";
import type { ChangeSet, DraftDocument } from "../../../src/core/editing/changes/change.ts";
import type { Committed } from "../../../src/core/editing/changes/footprint.ts";
import { rebase, rebaseRequest } from "../../../src/core/editing/changes/rebase.ts";
import { passOver } from "../../../src/core/editing/changes/their-texts.ts";
import { sizeOf } from "../../support/campaigns.ts";
import { asDraft, createDice, type Dice, randomChanges, smallDraft } from "./commands.ts";

// Several editors of one draft whose requests and responses are delayed, lost, and duplicated.

const steps = sizeOf({ short: 10_000, long: 1_000_000, variable: "PARLEY_EDITING_STEPS" });
const stepsOfStory = 500;

test("editors whose requests get lost still end with the server's draft", () => {
  const told = { sets: 0, clashes: 0, repeats: 0 };
  fc.assert(
    fc.property(fc.integer(), fc.integer({ min: 2, max: 5 }), (seed, count) => {
      const story = makeStory(createDice(seed), count);
      for (let step = 0; step < stepsOfStory; step++) takeStep(story);
      settle(story);

      const { server } = story;
      const text = canonicalize(server.draft);
      for (const editor of story.editors) expect(canonicalize(editor.draft)).toBe(text ?? "");
      // The log yields the final draft, and the inverses of its entries restore the drafts before them.
      let draft = smallDraft();
      for (const [index, { changes, inverse }] of server.log.entries()) {
        const next = asDraft(apply(draft, changes));
        if (index % 10 === 0) expect(canonicalize(apply(next, inverse))).toBe(canonicalize(draft) ?? "");
        draft = next;
      }
      expect(canonicalize(draft)).toBe(text ?? "");
      expect(new Set(server.log.map(({ id }) => id)).size).toBe(server.log.length);
      // The server has stored every change set that an editor counts as saved.
      expect(story.acknowledged.filter((id) => !server.log.some((set) => set.id === id))).toEqual([]);
      told.sets += server.log.length;
      told.clashes += story.clashes;
      told.repeats += server.repeats;
    }),
    { numRuns: Math.ceil(steps / stepsOfStory) },
  );
  process.stdout.write(
    `Editing together: ${steps} steps, ${told.sets} change sets, ${told.clashes} clashes, ${told.repeats} repeats\n`,
  );
  expect(Math.min(told.sets, told.clashes, told.repeats)).toBeGreaterThan(10);
}, 3_600_000);

type LoggedSet = ChangeSet & Committed & { readonly revision: number };
type Server = { draft: DraftDocument; readonly log: LoggedSet[]; repeats: number };
type Editor = {
  /** The draft of the server at `revision`. */
  draft: DraftDocument;
  revision: number;
  pending: readonly ChangeSet[];
};
type Request = { readonly editor: Editor; readonly base: number; readonly sets: readonly ChangeSet[] };
type Answer = { readonly editor: Editor; readonly upTo: number; readonly isClash: boolean };
type Story = {
  readonly dice: Dice;
  readonly server: Server;
  readonly editors: readonly Editor[];
  readonly requests: Request[];
  readonly answers: Answer[];
  readonly acknowledged: string[];
  clashes: number;
  names: number;
};

function makeStory(dice: Dice, count: number): Story {
  const editors = Array.from({ length: count }, (): Editor => ({ draft: smallDraft(), revision: 0, pending: [] }));
  const server = { draft: smallDraft(), log: [], repeats: 0 };
  return { dice, server, editors, requests: [], answers: [], acknowledged: [], clashes: 0, names: 0 };
}

function takeStep(story: Story): void {
  const { dice, requests, answers } = story;
  const editor = dice.pick(story.editors);
  if (!editor) return;
  switch (dice.below(6)) {
    case 0:
    case 1:
      edit(story, editor);
      break;
    case 2:
      send(story, editor);
      break;
    case 3: {
      // Requests may arrive in any order, and more than once.
      const index = dice.below(requests.length);
      const request = requests[index];
      if (!request) break;
      if (!dice.oneIn(4)) requests.splice(index, 1);
      const answer = serve(story, request);
      if (!dice.oneIn(3)) answers.push(answer);
      break;
    }
    case 4: {
      const [answer] = answers.splice(dice.below(answers.length), 1);
      if (answer) take(story, answer);
      break;
    }
    default:
      follow(story, editor, story.server.log.length);
  }
}

function edit(story: Story, editor: Editor): void {
  const id = `set${story.names++}`;
  const changes = randomChanges(viewOf(editor), story.dice, () => `new${story.names++}`);
  if (changes.length > 0) editor.pending = [...editor.pending, { id, title: "Act", changes }];
}

function viewOf({ draft, pending }: Editor): DraftDocument {
  return asDraft(
    apply(
      draft,
      pending.flatMap(({ changes }) => changes),
    ),
  );
}

function send({ requests }: Story, editor: Editor): void {
  if (editor.pending.length > 0) requests.push({ editor, base: editor.revision, sets: editor.pending });
}

/** Handles a request as the service does, but in memory. */
function serve({ server }: Story, { editor, base, sets }: Request): Answer {
  const { log } = server;
  const known = new Map(log.map((set) => [set.id, set]));
  const open = sets.filter(({ id }) => !known.has(id));
  if (open.length === 0) {
    server.repeats++;
    const upTo = Math.max(...sets.map(({ id }) => known.get(id)?.revision ?? 0));
    return { editor, upTo, isClash: false };
  }
  const since = log.filter(({ revision }) => revision > base);
  const rebased = unlessMissed(() => rebaseRequest(server.draft, since, sets));
  if (!rebased || rebased.conflicts.length > 0) return { editor, upTo: log.length, isClash: true };
  server.draft = asDraft(rebased.draft);
  for (const [index, { id, title }] of open.entries()) {
    const { changes = [], inverse = [] } = rebased.sets[index] ?? {};
    log.push({ id, title, changes, inverse, revision: log.length + 1 });
  }
  return { editor, upTo: log.length, isClash: false };
}

function take(story: Story, { editor, upTo, isClash }: Answer): void {
  if (isClash) story.clashes++;
  else story.acknowledged.push(...editor.pending.filter(({ id }) => isLogged(story, id, upTo)).map(({ id }) => id));
  follow(story, editor, upTo);
}

function isLogged({ server }: Story, setId: string, upTo: number): boolean {
  return server.log.some(({ id, revision }) => id === setId && revision <= upTo);
}

/** Applies the server's changes below the pending changes. In a conflict, the server's changes win. */
function follow({ server }: Story, editor: Editor, upTo: number): void {
  for (const set of server.log.slice(editor.revision, upTo)) {
    const { draft, inverse } = applyUndoably(editor.draft, set.changes);
    editor.draft = asDraft(draft);
    editor.revision = set.revision;
    const isOwn = editor.pending.some(({ id }) => id === set.id);
    editor.pending = isOwn
      ? editor.pending.filter(({ id }) => id !== set.id)
      : withoutClashes(editor, { changes: set.changes, inverse });
  }
  editor.pending = withoutClashes(editor);
}

function withoutClashes({ draft, pending }: Editor, theirs?: Committed): ChangeSet[] {
  const kept: ChangeSet[] = [];
  let others = theirs ? [theirs] : [];
  let now = draft;
  for (const [index, set] of pending.entries()) {
    const rebased = unlessMissed(() => rebase(now, others, [set.changes]));
    if (!rebased || rebased.conflicts.length > 0) {
      // Once a set is dropped, later edits of its text have no position.
      if (pending.slice(index).some(({ changes }) => changes.some(({ op }) => op === "edit"))) break;
      continue;
    }
    now = asDraft(rebased.draft);
    kept.push({ ...set, changes: rebased.sets[0]?.changes ?? [] });
    others = [...passOver(others, set.changes)];
  }
  return kept;
}

/** Returns undefined if a change depends on a dropped change. */
function unlessMissed<Value>(make: () => Value): Value | undefined {
  try {
    return make();
  } catch (error) {
    if (error instanceof ChangeMisses) return undefined;
    throw error;
  }
}

/** Delivers all pending requests and responses. */
function settle(story: Story): void {
  const { server, editors } = story;
  for (const request of story.requests.splice(0)) serve(story, request);
  for (const editor of editors) {
    for (let round = 0; editor.pending.length > 0 && round < 20; round++) {
      follow(story, editor, server.log.length);
      if (editor.pending.length > 0) {
        take(story, serve(story, { editor, base: editor.revision, sets: editor.pending }));
      }
    }
    expect(editor.pending).toEqual([]);
  }
  for (const editor of editors) follow(story, editor, server.log.length);
}
