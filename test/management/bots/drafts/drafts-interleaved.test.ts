import { afterEach, beforeEach, expect, test } from "bun:test";
import canonicalize from "canonicalize";
import fc from "fast-check";
import { apply, applyUndoably, ChangeMisses } from "../../../../src/core/editing/changes/apply.ts";
import type { Change, ChangeSet, DraftDocument } from "../../../../src/core/editing/changes/change.ts";
import { rebase } from "../../../../src/core/editing/changes/rebase.ts";
import { isJsonObject } from "../../../../src/core/interpreter/flow.ts";
import { newId } from "../../../../src/platform/ids.ts";
import { asDraft, createDice, type Dice, objects, randomChanges, smallDraft } from "../../../core/editing/commands.ts";
import type { TestUser } from "../../../support/api.ts";
import { idOf } from "../../../support/builder-ids.ts";
import type { Answer } from "../../../support/client.ts";
import { actAtOnce, createInterleavings, type Interleavings, limitMsOf } from "../../../support/interleavings.ts";

let place: Interleavings;
let owner: TestUser;

beforeEach(async () => {
  place = await createInterleavings();
  owner = await place.nodes[0].makeUser();
});
afterEach(() => place.close());

const runs = 4;
const editorCount = 3;
const actsOfEditor = 12;

type Story = {
  readonly botId: string;
  readonly dice: Dice;
  readonly statuses: number[];
  readonly acknowledged: string[];
};
type Editor = { draft: DraftDocument; revision: number; pending: ChangeSet[] };

test(
  "concurrent editors and programs lose no acknowledged change",
  async () => {
    await place.check(
      fc.integer(),
      async (seed) => {
        const workspaceId = await place.nodes[0].makeWorkspace(owner);
        const made = await send(0, "POST", "bots", { workspaceId, bot: smallDraft() });
        const botId = made.text("bot.id");
        const story: Story = { botId, dice: createDice(seed), statuses: [], acknowledged: [] };
        const first = await readDraft(botId);
        const editors = Array.from({ length: editorCount }, (): Editor => ({ draft: first, revision: 0, pending: [] }));
        const writers = [...editors.map((editor) => () => work(story, editor)), () => program(story)];
        await actAtOnce(writers, writers.length, (write) => write());
        for (const editor of editors) await saveAll(story, editor);
        for (const editor of editors) await follow(story, editor);

        expect(story.statuses.filter((status) => status !== 200 && status !== 409)).toEqual([]);
        const stored = canonicalize(await readDraft(botId));
        for (const editor of editors) expect(canonicalize(editor.draft)).toBe(stored ?? "");
        const log = await place.nodes[0].deps.sql<{ setId: string; changes: Change[]; inverse: Change[] }[]>`
        select set_id, changes, inverse from bot_changes where bot_id = ${botId} order by revision`;
        let draft = first;
        for (const { changes, inverse } of log) {
          const next = asDraft(apply(draft, changes));
          expect(canonicalize(apply(next, inverse))).toBe(canonicalize(draft) ?? "");
          draft = next;
        }
        expect(canonicalize(draft)).toBe(stored ?? "");
        const written = log.map(({ setId }) => setId);
        expect(story.acknowledged.filter((id) => written.filter((one) => one === id).length !== 1)).toEqual([]);
      },
      runs,
    );
  },
  limitMsOf(runs),
);

async function work(story: Story, editor: Editor): Promise<void> {
  const { dice } = story;
  for (let act = 0; act < actsOfEditor; act++) {
    const view = viewOf(editor);
    const changes = randomChanges(view, dice, () => `new-${newId()}`);
    if (changes.length > 0) editor.pending.push({ id: newId(), title: "Act", changes });
    if (dice.oneIn(2)) await save(story, editor);
    else if (dice.oneIn(3)) await follow(story, editor);
  }
}

async function program({ botId, dice, statuses }: Story): Promise<void> {
  for (let act = 0; act < 6; act++) {
    const path = `bots/${botId}`;
    const variables = [{ id: idOf("v1"), name: "Program" }, ...(dice.oneIn(2) ? [{ id: newId(), name: "More" }] : [])];
    const answer = await [
      () => send(act, "PATCH", path, { bot: { variables } }),
      () => send(act, "POST", `${path}/import`, { bot: { ...smallDraft(), variables } }),
      () => send(act, "POST", `${path}/history/0/restore`, {}),
      () => send(act, "PATCH", path, { bot: { name: `Named ${act}` } }),
    ][dice.below(4)]?.();
    if (answer) statuses.push(answer.status);
  }
}

function viewOf({ draft, pending }: Editor): DraftDocument {
  return asDraft(
    apply(
      draft,
      pending.flatMap(({ changes }) => changes),
    ),
  );
}

async function save(story: Story, editor: Editor): Promise<void> {
  const { dice, botId, statuses, acknowledged } = story;
  const { pending, revision: base } = editor;
  if (pending.length === 0) return;
  const sets = pending.map((set) => set);
  const answer = await send(dice.below(2), "POST", `bots/${botId}/changes`, { base, knows: "edit", changeSets: sets });
  statuses.push(answer.status);
  if (answer.status === 200 && dice.oneIn(3)) return;
  if (answer.status === 200) acknowledged.push(...sets.map(({ id }) => id));
  await follow(story, editor);
}

async function saveAll(story: Story, editor: Editor): Promise<void> {
  for (let round = 0; editor.pending.length > 0 && round < 30; round++) await save(story, editor);
  expect(editor.pending).toEqual([]);
}

/** Reads the new sets, and applies them below the pending sets. In a conflict, the new sets win. */
async function follow({ botId, dice }: Story, editor: Editor): Promise<void> {
  for (;;) {
    const { revision } = editor;
    const answer = await send(dice.below(2), "GET", `bots/${botId}/changes?after=${revision}&knows=edit`);
    const sets = objects(answer.at("changeSets"));
    for (const set of sets) take(editor, set);
    if (sets.length === 0) return;
  }
}

function take(editor: Editor, { id, revision, changes }: Record<string, unknown>): void {
  const made = changesIn(changes);
  const { draft, inverse } = applyUndoably(editor.draft, made);
  editor.draft = asDraft(draft);
  editor.revision = Number(revision);
  const isOwn = editor.pending.some((set) => set.id === id);
  editor.pending = isOwn ? editor.pending.filter((set) => set.id !== id) : rebased(editor, { changes: made, inverse });
}

function rebased({ draft, pending }: Editor, theirs: { changes: Change[]; inverse: Change[] }): ChangeSet[] {
  let now = draft;
  return pending.flatMap((set) => {
    try {
      const { conflicts, draft: next, sets } = rebase(now, [theirs], [set.changes]);
      if (conflicts.length > 0) return [];
      now = asDraft(next);
      return [{ ...set, changes: sets[0]?.changes ?? [] }];
    } catch (error) {
      if (error instanceof ChangeMisses) return [];
      throw error;
    }
  });
}

function changesIn(value: unknown): Change[] {
  const isChange = (one: unknown): one is Change => isJsonObject(one) && typeof one["op"] === "string";
  return Array.isArray(value) ? value.filter(isChange) : [];
}

async function readDraft(botId: string): Promise<DraftDocument> {
  const bot = (await send(0, "GET", `bots/${botId}`)).at("bot");
  const { version, events, groups, edges, variables, theme, settings, editor } = isJsonObject(bot) ? bot : {};
  return asDraft({ version, events, groups, edges, variables, theme, settings, ...(editor !== null && { editor }) });
}

function send(node: number, method: string, path: string, body?: object): Promise<Answer> {
  return place.send(node, method, `/api/v1/${path}`, { token: owner.token, ...(body && { body }) });
}
