import { expect, test } from "bun:test";
import { join } from "node:path";
import canonicalize from "canonicalize";
import fc from "fast-check";
import type { DraftDocument } from "../../../../src/core/editing/changes/change.ts";
import { createEditor, type Editor } from "../../../../src/web/app/editor/editor.ts";
import { createKeeper, recallTab, type Shelf } from "../../../../src/web/app/editor/working-copy/stored-work.ts";
import commandWords from "../../../../src/web/app/words/en/command.json";
import { currentWords, languages } from "../../../../src/web/app/words/index.ts";
import { sizeOf } from "../../../support/campaigns.ts";
import { inLanguage } from "../../../support/in-language.ts";
import { createVirtualClock, type VirtualClock } from "../../../support/virtual-clock.ts";
import { examples } from "./command-examples.ts";
import { createFakeService, type FakeService, type Network, shelfInMemory, transportTo } from "./fake-service.ts";

const app = join(import.meta.dir, "../../../../src/web/app");

test("every command has an example, and only commands write to a draft", async () => {
  const missing: string[] = [];
  const known = new Set(examples.map(({ command }) => command));
  let count = 0;
  for (const file of new Bun.Glob("**/*.ts").scanSync(join(app, "editor/commands"))) {
    const module: Record<string, unknown> = await import(join(app, "editor/commands", file));
    for (const [name, value] of Object.entries(module)) {
      if (!isCommand(value)) continue;
      count++;
      if (!known.has(value)) missing.push(`${file}: ${name}`);
    }
  }
  expect(missing).toEqual([]);
  expect(count).toBe(known.size);

  const writers: string[] = [];
  const elsewhere: string[] = [];
  for (const file of new Bun.Glob("**/*.{ts,tsx}").scanSync(app)) {
    const source = await Bun.file(join(app, file)).text();
    if (/\bcopy\.act\(/.test(source)) writers.push(file);
    if (/\bconst \w+: Command</.test(source) && !file.startsWith("editor/commands/")) elsewhere.push(file);
  }
  expect(writers).toEqual(["editor/editor.ts"]);
  expect(elsewhere).toEqual([]);
});

test("each command can be undone and redone, even across reloads", async () => {
  for (const example of examples) {
    for (const isSaved of [true, false]) {
      const page = await openPage(example.from, { isSaved });
      const first = page.text();
      const done = example.run(page.editor());
      if (done.kind === "refused") throw new Error(`${example.name(currentWords(commandWords))}: ${done.sentence}`);
      const changed = page.text();
      expect(changed).not.toBe(first);
      await page.reload();
      expect(page.text()).toBe(changed);
      expect(page.editor().undoTitle.peek()).toBe(done.title);
      expect(page.editor().undo()).toEqual({ title: done.title, left: [] });
      expect(page.text()).toBe(first);
      await page.reload();
      expect(page.text()).toBe(first);
      expect(page.editor().undoTitle.peek()).toBeUndefined();
      expect(page.editor().redo()?.title).toBe(done.title);
      expect(page.text()).toBe(changed);
      await page.reload();
      expect(page.text()).toBe(changed);
      expect(page.editor().redoTitle.peek()).toBeUndefined();
      page.editor().undo();
      await page.reload();
      expect(page.text()).toBe(first);
      if (isSaved) expect(canonicalize(page.service.draft())).toBe(first);
      page.close();
    }
  }
});

test("many commands in any order can be undone to the first draft", async () => {
  const ofOneDraft = examples.filter(({ from }) => from === examples[0]?.from);
  const met = new Set<object>();
  await fc.assert(
    fc.asyncProperty(
      fc.shuffledSubarray([...ofOneDraft.keys()], { minLength: 30, maxLength: 30 }),
      fc.array(fc.nat(30), { maxLength: 3 }),
      fc.boolean(),
      async (acts, reloads, isSaved) => {
        const page = await openPage(ofOneDraft[0]?.from, { isSaved });
        const states = [page.text()];
        for (const [index, place] of acts.entries()) {
          if (reloads.includes(index)) await page.reload();
          const act = ofOneDraft[place];
          const { undo } = page.editor().copy.history();
          if (act?.run(page.editor()).kind !== "done") continue;
          if (page.text() === states.at(-1)) {
            // A command without changes leaves nothing to undo.
            expect([act.name(currentWords(commandWords)), page.editor().copy.history().undo.length]).toEqual([
              act.name(currentWords(commandWords)),
              undo.length,
            ]);
            continue;
          }
          met.add(act.command);
          states.push(page.text());
        }
        await page.reload();
        for (const [index, state] of states.slice(0, -1).reverse().entries()) {
          if (reloads.includes(index)) await page.reload();
          page.editor().undo();
          expect(page.text()).toBe(state);
        }
        expect(page.editor().undo()).toBeUndefined();
        await page.reload();
        for (const state of states.slice(1)) {
          page.editor().redo();
          expect(page.text()).toBe(state);
        }
        expect(page.editor().redo()).toBeUndefined();
        page.close();
      },
    ),
    { numRuns: sizeOf({ short: 25, long: 1_000, variable: "PARLEY_UNDO_RUNS" }) },
  );
  expect(met.size).toBeGreaterThan(30);
});

test("the name of each change is translated into each language", async () => {
  const allNames = () => examples.map((example) => example.name(currentWords(commandWords)));
  const spoken: string[][] = [];
  for (const language of languages) spoken.push(await inLanguage(language, allNames));
  const namesOf = (at: number) => spoken.map((names) => names[at] ?? "");
  for (const at of examples.keys()) {
    const names = namesOf(at);
    for (const name of names) {
      expect(name).toMatch(/^[\p{Lu}„“\d][^{}[\]]{2,200}$/u);
      expect(name).not.toMatch(/undefined|null|NaN|[a-z][A-Z]/);
    }
    expect(new Set(names).size).toBe(languages.length);
  }
  if (process.env["PARLEY_SHOW_NAMES"])
    for (const at of examples.keys()) process.stdout.write(`${namesOf(at).join(" | ")}\n`);
});

type Page = {
  readonly service: FakeService;
  editor(): Editor;
  /** Returns the draft as the author sees it. The order of keys is ignored, but not the order of lists. */
  text(): string;
  /** Closes the page, and opens the bot again with the same browser storage. */
  reload(): Promise<void>;
  close(): void;
};

/**
 * Opens a bot in a browser. With `isSaved`, changes are saved before the page is left. Otherwise the service is
 * unreachable all the time.
 */
async function openPage(from: DraftDocument | undefined, { isSaved }: { isSaved: boolean }): Promise<Page> {
  const service = createFakeService(structuredClone(from ?? { groups: [], edges: [], variables: [] }));
  const clock = createVirtualClock();
  const shelf = shelfInMemory();
  const network: Network = { isDown: !isSaved, delayMs: () => 10, loses: () => "nothing" };
  let open = await openTab({ service, clock, shelf, network });
  return {
    service,
    editor: () => open.editor,
    text: () => canonicalize(open.editor.copy.view()) ?? "",
    async reload() {
      // An offline tab waits longer before each attempt.
      if (isSaved) await clock.advance(5_000);
      await clock.settle();
      await open.keeper.settled();
      open.editor.close();
      expect(open.editor.copy.pending().length === 0 || !isSaved).toBe(true);
      open = await openTab({ service, clock, shelf, network });
    },
    close: () => open.editor.close(),
  };
}

type Tab = {
  readonly service: FakeService;
  readonly clock: VirtualClock;
  readonly shelf: Shelf;
  readonly network: Network;
};

async function openTab({ service, clock, shelf, network }: Tab) {
  const keeper = createKeeper(shelf, "ada/bot/tab", () => {});
  const remains = await recallTab(shelf, "ada/bot/tab");
  const revision = remains?.revision ?? service.log.length;
  const editor = createEditor({
    opened: { revision, draft: service.at(revision) },
    clock,
    transport: transportTo(service, { clock, network, userId: "ada" }),
    userId: "ada",
    mode: "write",
    ...(remains && { remains }),
    onChange: (copy) => keeper.note(copy),
  });
  return { editor, keeper };
}

function isCommand(value: unknown): value is object {
  if (typeof value !== "object" || value === null) return false;
  return ["name", "make"].every((key) => typeof Reflect.get(value, key) === "function");
}
