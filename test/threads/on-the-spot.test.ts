import { afterEach, describe, expect, test } from "bun:test";
import { blocks } from "../../src/blocks/index.ts";
import type { BlockDefinition } from "../../src/interpreter/block.ts";
import { createSandbox } from "../../src/sandbox/index.ts";
import type { AdvanceTask } from "../../src/threads/messages.ts";
import {
  maxCredit,
  missCost,
  replyCharacters,
  spotMs,
  spotVisit,
  stateCharacters,
  usesToCompile,
} from "../../src/threads/on-the-spot.ts";
import { createProgramCache } from "../../src/threads/program-cache.ts";
import { blockCharacters, themeCharacters } from "../../src/threads/spot-fitness.ts";
import { think } from "../../src/threads/think.ts";
import { createThreads, type Threads } from "../../src/threads/threads.ts";
import { asks, flowOf, nameAndEmail, says } from "../support/chat.ts";
import { waitFor } from "../support/wait.ts";

// The threads' worker does not think, but refuses: what is stepped was thought through on the spot.
const file = new URL("../hostile/obedient-worker.ts", import.meta.url).href;

const runScript = await createSandbox();

let threads: Threads | undefined;
afterEach(async () => {
  await threads?.close();
  threads = undefined;
});

type Asked = { readonly input?: AdvanceTask["input"]; readonly key?: string; readonly isAnonymous?: boolean };

/** A service with one flow, and which blocks ran here and how often the flow was asked for. `slowMs`: what each block takes. */
function serve(flow: object, { slowMs = 0, sandbox = Promise.resolve(runScript) } = {}) {
  const text = JSON.stringify(flow);
  const types: string[] = [];
  const asked = { types, loads: 0 };
  const listening = [...blocks].map(([type, block]): [string, BlockDefinition] => {
    const prepare: BlockDefinition["prepare"] = (stored) => {
      const prepared = block.prepare(stored);
      const run: typeof prepared.run = (view) => {
        asked.types.push(type);
        for (const end = performance.now() + slowMs; performance.now() < end; );
        return prepared.run(view);
      };
      return { ...prepared, run };
    };
    return [type, { ...block, prepare }];
  });
  const service = createThreads({
    count: 1,
    file,
    spot: { blocks: new Map(listening), createSandbox: () => sandbox },
  });
  threads = service;
  const place = async ({ input = startInput, key = "go", isAnonymous = false }: Asked = {}): Promise<string> => {
    const loadFlow = async () => {
      asked.loads++;
      return text;
    };
    const { kind } = await service.advance(taskOf(input, key), { loadFlow, isAnonymous });
    return kind === "refused" ? "thread" : kind;
  };
  /** Uses the flow until it is known here, or as often as that would take. */
  const getUsed = async (key?: string): Promise<void> => {
    for (let use = 0; use < 3 * usesToCompile; use++) await place({ ...(key !== undefined && { key }) });
  };
  return { asked, place, getUsed };
}

const startInput: AdvanceTask["input"] = {
  kind: "start",
  resultId: null,
  isStreamEnabled: false,
  isOnlyRegistering: false,
  reply: null,
  options: {},
};

function taskOf(input: AdvanceTask["input"], key = "go"): AdvanceTask {
  return {
    program: { key, botId: "bot" },
    programs: [],
    context: { now: 0, seed: "0".repeat(32), isLive: false, contentFormat: "richText" },
    input,
  };
}

const code = (content: string) => ({ id: "code", type: "Code", options: { content, isExecutedOnClient: false } });

test("a flow's first steps are a thread's, the later ones need none", async () => {
  const { asked, place } = serve(nameAndEmail);
  for (let use = 0; use < usesToCompile; use++) expect(await place()).toBe("thread");

  await waitFor(async () => (await place()) === "stepped");
  expect(asked.loads).toBe(1);
});

test("short scripts need none either", async () => {
  const { asked, place, getUsed } = serve(flowOf([code("setVariable('Name', 'Ana')"), asks("text input")]));
  await getUsed();

  expect(await place()).toBe("stepped");
  expect(asked.types).toContain("Code");
});

test("scripts that come before there is a sandbox for them do not count against their bot", async () => {
  const { promise, resolve } = Promise.withResolvers<typeof runScript>();
  const { place, getUsed } = serve(flowOf([code("1"), asks("text input")]), { sandbox: promise });
  for (let round = 0; round < 3; round++) await getUsed();
  expect(await place()).toBe("thread");
  resolve(runScript);

  await waitFor(async () => (await place()) === "stepped");
});

describe("a thread's, however often they come, are", () => {
  test.each<[string, Asked]>([
    ["long replies", { input: { ...startInput, reply: { type: "text", text: "x".repeat(replyCharacters) } } }],
    [
      "starts with much",
      { input: { ...startInput, options: { prefilledVariables: { a: "x".repeat(stateCharacters) } } } },
    ],
    ["large states", { input: { kind: "reply", state: " ".repeat(stateCharacters + 1), reply: null } }],
    ["reports", { input: { kind: "report", continuation: "{}", report: { kind: "refused", reason: "" } } }],
    ["previews of anybody", { isAnonymous: true }],
  ])("%s", async (_, ask) => {
    const { place, getUsed } = serve(nameAndEmail);
    await getUsed();

    expect(await place()).toBe("stepped");
    expect(await place(ask)).toBe("thread");
  });

  const long = (characters: number) => "x".repeat(characters);
  const initial = [{ id: "v-Name", name: "Name", value: long(blockCharacters) }];
  const severalBlocks = (blocks: number) => Array.from({ length: blocks }, (_, index) => index);
  test.each<[string, object]>([
    ["large flows", flowOf(severalBlocks(40).map((index) => says(`${index}${long(15_000)}`)))],
    ["flows with a large block", flowOf([says("Hi"), says(long(blockCharacters))])],
    ["flows with large values to begin with", { ...nameAndEmail, variables: initial }],
    ["flows with a large theme", { ...nameAndEmail, theme: { customCss: long(themeCharacters) } }],
    [
      "flows of many inputs",
      flowOf(severalBlocks(201).map((index) => asks("text input", {}, { id: `asks ${index}` }))),
    ],
  ])("%s", async (_, flow) => {
    const { asked, place, getUsed } = serve(flow);
    await getUsed();

    expect(await place()).toBe("thread");
    expect(asked).toEqual({ types: [], loads: 1 });
  });

  test("steps of a bot that runs apart", async () => {
    const { asked, place, getUsed } = serve(nameAndEmail);
    await getUsed("burn");

    expect(await place({ key: "burn" })).toBe("thread");
    expect(asked).toEqual({ types: [], loads: 0 });
  });
});

describe("a step that is not small after all", () => {
  test("is a thread's when a script of it takes more than a moment", async () => {
    const { asked, place, getUsed } = serve(flowOf([says("Hi"), code("for (;;);"), asks("text input")]));
    await getUsed();

    expect(await place()).toBe("thread");
    expect(asked.types).toContain("Code");
  });

  test("is a thread's when it comes to an integration, or to a long value that may be markdown", async () => {
    const call = { id: "call", type: "Webhook", options: { webhook: { url: "https://example.com" } } };
    const calling = serve(flowOf([says("Hi"), call]));
    await calling.getUsed();
    expect(await calling.place()).toBe("thread");
    await threads?.close();

    const inserting = serve(flowOf([says("Hi *{{Name}}*")]));
    await inserting.getUsed();
    const named = (value: string) => ({ input: { ...startInput, options: { prefilledVariables: { Name: value } } } });
    expect(await inserting.place(named("x".repeat(spotVisit.parsed)))).toBe("stepped");
    expect(await inserting.place(named("x".repeat(spotVisit.parsed + 1)))).toBe("thread");
  });

  test("is tried no more when that was in vain again and again", async () => {
    const { asked, place, getUsed } = serve(flowOf([says("Hi"), code("for (;;);"), asks("text input")]));
    await getUsed();
    for (let miss = 0; miss <= maxCredit / missCost; miss++) await place();
    asked.types = [];

    expect(await place()).toBe("thread");
    expect(asked.types).toEqual([]);
  });

  test("is tried no more at once when one took long", async () => {
    const { asked, place, getUsed } = serve(nameAndEmail, { slowMs: 6 * spotMs });
    await getUsed();

    expect(await place()).toBe("thread");
    expect(asked.types).toEqual(["text"]);
  });

  test("comes to nothing when its time is up, whatever it has walked", () => {
    const flow = JSON.stringify(nameAndEmail);
    const tools = { blocks, cache: createProgramCache(1_000_000, blocks), runScript };
    const task = { ...taskOf(startInput), programs: [{ key: "go", botId: "bot", flow }] };

    expect(think(tools, task, { isTimeUp: () => true })).toEqual({ kind: "tooLong" });
    expect(think(tools, task, { isTimeUp: () => false })).toEqual(think(tools, task));
  });
});
