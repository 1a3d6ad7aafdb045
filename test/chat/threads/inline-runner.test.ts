import { afterEach, describe, expect, test } from "bun:test";
import {
  blockCharacters,
  compileBurst,
  compilePauseMs,
  inlineMs,
  inlineQuota,
  maxWasteMs,
  replyCharacters,
  stateCharacters,
  themeCharacters,
} from "../../../src/chat/threads/inline-runner.ts";
import { createThreads, type Threads } from "../../../src/chat/threads/threads.ts";
import { blocks } from "../../../src/core/blocks/index.ts";
import type { RunScript } from "../../../src/core/interpreter/language/script.ts";
import type { BlockDefinition } from "../../../src/core/interpreter/program/block.ts";
import type { AdvanceTask } from "../../../src/core/tasks/messages.ts";
import { createMeter } from "../../../src/core/tasks/meter.ts";
import { createProgramCache } from "../../../src/core/tasks/program-cache.ts";
import { runTask } from "../../../src/core/tasks/run-task.ts";
import { createSandbox } from "../../../src/platform/sandbox/index.ts";
import { idOf } from "../../support/builder-ids.ts";
import { asks, flowOf, nameAndEmail, says } from "../../support/chat.ts";

// The worker of the threads rejects steps instead of running them, so a successful step ran inline.
const file = new URL("../../hostile/obedient-worker.ts", import.meta.url).href;

const runScript = await createSandbox();

let threads: Threads | undefined;
afterEach(async () => {
  await threads?.close();
  threads = undefined;
});

/** Like `serve`, but after a thread has started, so that no step waits for a compilation on the main thread. */
async function serveWithThread(...given: Parameters<typeof serve>): Promise<ReturnType<typeof serve>> {
  const service = serve(...given);
  await threads?.ready();
  return service;
}

type Asked = { readonly input?: AdvanceTask["input"]; readonly key?: string; readonly isAnonymous?: boolean };

/**
 * Creates a service with one flow. Returns the types of the blocks that ran inline, and the number of requests for the
 * flow. The test sets how many milliseconds each block (`blockMs`), each script (`scriptMs`), and other work during a
 * block (`heldUpMs`) take.
 */
function serve(flow: object, { sandbox = Promise.resolve(runScript) } = {}) {
  const text = JSON.stringify(flow);
  const types: string[] = [];
  const asked = { types, loads: 0, clocks: 0, blockMs: 0, scriptMs: 0, heldUpMs: 0 };
  let time = 0;
  let busy = 0;
  const listening = [...blocks].map(([type, block]): [string, BlockDefinition] => {
    const prepare: BlockDefinition["prepare"] = (stored) => {
      const prepared = block.prepare(stored);
      const run: typeof prepared.run = (view) => {
        asked.types.push(type);
        busy += asked.blockMs;
        time += asked.blockMs + asked.heldUpMs;
        return prepared.run(view);
      };
      return { ...prepared, run };
    };
    return [type, { ...block, prepare }];
  });
  const slowSandbox = async (): Promise<RunScript> => {
    const run = await sandbox;
    return (request) => {
      busy += asked.scriptMs;
      time += asked.scriptMs;
      return run(request);
    };
  };
  const busyMs = (): number => {
    asked.clocks++;
    return busy;
  };
  const service = createThreads({
    count: 1,
    file,
    inline: { blocks: new Map(listening), createSandbox: slowSandbox, now: () => time, busyMs },
  });
  threads = service;
  const place = async ({ input = startInput, key = "go", isAnonymous = false }: Asked = {}): Promise<string> => {
    time += compilePauseMs;
    const loadFlow = async () => {
      asked.loads++;
      return text;
    };
    const { kind } = await service.advance(taskOf(input, key), { loadFlow, isAnonymous });
    return kind === "refused" ? "thread" : kind;
  };
  const pass = (ms: number): void => {
    time += ms;
  };
  return { asked, place, pass };
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

test("a flow's first step runs on a thread, and later steps need no thread", async () => {
  const { asked, place } = await serveWithThread(nameAndEmail);

  expect([await place(), await place(), await place()]).toEqual(["thread", "stepped", "stepped"]);
  expect(asked.loads).toBe(1);
});

test("programs are compiled immediately up to the size of a burst", async () => {
  const { asked, place, pass } = await serveWithThread(nameAndEmail);
  for (let index = 0; index < compileBurst; index++) {
    await place({ key: `flow ${index}` });
    pass(-compilePauseMs);
  }
  await place({ key: "further" });
  pass(-1);
  await place({ key: "further" });
  expect(asked.loads).toBe(compileBurst);
  await place({ key: "further" });

  expect(asked.loads).toBe(compileBurst + 1);
});

describe("a service without a running thread", () => {
  test("a flow's first step waits until the flow is loaded, and starts no thread", async () => {
    const { asked, place } = serve(nameAndEmail);

    expect(await place()).toBe("stepped");
    expect(asked.loads).toBe(1);
    await threads?.ping();
    expect(await place({ key: "other" })).toBe("stepped");
  });

  test("the first script waits for a sandbox", async () => {
    const { place } = serve(flowOf([code("setVariable('Name', 'Ana')"), asks("text input")]));

    expect(await place()).toBe("stepped");
  });

  test("a flow whose steps need a thread is loaded only once", async () => {
    const { asked, place } = serve(flowOf([says("x".repeat(blockCharacters))]));

    expect([await place(), await place()]).toEqual(["thread", "thread"]);
    expect(asked.loads).toBe(1);
  });

  test("a flow with an integration starts a thread in advance", async () => {
    const call = { id: "call", type: "Webhook", options: { webhook: { url: "https://example.com" } } };
    const { place } = serve(flowOf([says("Hi"), asks("text input"), call]));

    expect(await place()).toBe("stepped");
    for (let other = 0; (await place({ key: `other ${other}` })) !== "thread"; other++)
      await new Promise((resolve) => setImmediate(resolve));
  });
});

test("consecutive steps share one reading of the processor time", async () => {
  const { asked, place, pass } = await serveWithThread(nameAndEmail);
  await place();
  await place();
  expect(asked.clocks).toBe(1);
  pass(inlineMs - compilePauseMs);
  expect(await place()).toBe("stepped");
  expect(asked.clocks).toBe(1);

  expect(await place()).toBe("stepped");
  expect(asked.clocks).toBe(2);
});

test("short scripts need no thread once a sandbox exists", async () => {
  const { asked, place } = await serveWithThread(flowOf([code("setVariable('Name', 'Ana')"), asks("text input")]));

  expect([await place(), await place(), await place()]).toEqual(["thread", "thread", "stepped"]);
  expect(asked.types.filter((type) => type === "Code")).toHaveLength(2);
});

test("scripts that run before a sandbox exists do not count against their bot", async () => {
  const { promise, resolve } = Promise.withResolvers<typeof runScript>();
  const { asked, place } = await serveWithThread(flowOf([code("1"), asks("text input")]), { sandbox: promise });
  await place();
  asked.blockMs = inlineMs;
  for (let miss = 0; miss <= maxWasteMs / inlineMs; miss++) expect(await place()).toBe("thread");
  asked.blockMs = 0;
  resolve(runScript);
  await place();

  expect(await place()).toBe("stepped");
});

describe("work for a thread", () => {
  test.each<[string, Asked]>([
    ["long replies", { input: { ...startInput, reply: { type: "text", text: "x".repeat(replyCharacters) } } }],
    [
      "starts with large values",
      { input: { ...startInput, options: { prefilledVariables: { a: "x".repeat(stateCharacters) } } } },
    ],
    ["large states", { input: { kind: "reply", state: " ".repeat(stateCharacters + 1), reply: null } }],
    ["reports", { input: { kind: "report", continuation: "{}", report: { kind: "refused", reason: "" } } }],
    ["anonymous previews", { isAnonymous: true }],
  ])("a step for %s always runs on a thread", async (_, ask) => {
    const { place } = await serveWithThread(nameAndEmail);
    await place();

    expect(await place()).toBe("stepped");
    expect(await place(ask)).toBe("thread");
  });

  const long = (characters: number) => "x".repeat(characters);
  const initial = [{ id: idOf("Name"), name: "Name", value: long(blockCharacters) }];
  const severalBlocks = (blocks: number) => Array.from({ length: blocks }, (_, index) => index);
  test.each<[string, object]>([
    ["large flows", flowOf(severalBlocks(40).map((index) => says(`${index}${long(15_000)}`)))],
    ["flows with a large block", flowOf([says("Hi"), says(long(blockCharacters))])],
    ["flows with large initial values", { ...nameAndEmail, variables: initial }],
    ["flows with a large theme", { ...nameAndEmail, theme: { customCss: long(themeCharacters) } }],
    [
      "flows with many inputs",
      flowOf(severalBlocks(201).map((index) => asks("text input", {}, { id: `asks ${index}` }))),
    ],
  ])("a thread always runs the steps of %s", async (_, flow) => {
    const { asked, place } = await serveWithThread(flow);
    await place();
    await place();

    expect(await place()).toBe("thread");
    expect(asked).toMatchObject({ types: [], loads: 1 });
  });

  test("a thread runs the steps of a slow bot", async () => {
    const { asked, place } = await serveWithThread(nameAndEmail);
    await place({ key: "burn" });

    expect(await place({ key: "burn" })).toBe("thread");
    expect(asked).toMatchObject({ types: [], loads: 1 });
  });
});

describe("a step that turns out to be large", () => {
  const endless = flowOf([says("Hi"), code("for (;;);"), asks("text input")]);

  test("a large step runs on a thread if a script exceeds the inline limit", async () => {
    const { asked, place } = await serveWithThread(endless);
    await place();
    await place();

    expect(await place()).toBe("thread");
    expect(asked.types).toContain("Code");
  });

  test("a step needs a thread at an integration or for long Markdown", async () => {
    const call = { id: "call", type: "Webhook", options: { webhook: { url: "https://example.com" } } };
    const calling = await serveWithThread(flowOf([says("Hi"), call]));
    await calling.place();
    expect(await calling.place()).toBe("thread");
    expect(calling.asked.types).toEqual(["text"]);
    await threads?.close();

    const inserting = await serveWithThread(flowOf([says("Hi *{{Name}}*")]));
    await inserting.place();
    const named = (value: string) => ({ input: { ...startInput, options: { prefilledVariables: { Name: value } } } });
    const { markdownCharacters } = inlineQuota;
    expect(await inserting.place(named("x".repeat(markdownCharacters)))).toBe("stepped");
    expect(await inserting.place(named("x".repeat(markdownCharacters + 1)))).toBe("thread");
  });

  test("a bot with too many slow steps runs no step inline for some time", async () => {
    const { asked, place, pass } = await serveWithThread(endless);
    await place();
    await place();
    asked.scriptMs = 1;
    for (let miss = 0; miss <= maxWasteMs; miss++) await place();
    asked.types = [];
    expect(await place()).toBe("thread");
    expect(asked.types).toEqual([]);
    pass(60_000);

    expect(await place()).toBe("thread");
    expect(asked.types).toContain("Code");
  });

  test("a slow step prevents further inline steps of its bot", async () => {
    const { asked, place } = await serveWithThread(nameAndEmail);
    await place();
    asked.blockMs = maxWasteMs + 1;

    expect(await place()).toBe("thread");
    asked.types = [];
    expect(await place()).toBe("thread");
    expect(asked.types).toEqual([]);
  });

  test("the cost of a step does not include the time of earlier steps", async () => {
    const { asked, place, pass } = await serveWithThread(nameAndEmail);
    await place();
    await place();
    pass(inlineMs - compilePauseMs);
    asked.blockMs = maxWasteMs + inlineMs - 1;
    expect(await place()).toBe("thread");
    asked.blockMs = 0;

    expect(await place()).toBe("stepped");
  });

  test("the cost of a step does not include other processes", async () => {
    const { asked, place } = await serveWithThread(nameAndEmail);
    await place();
    asked.heldUpMs = maxWasteMs + 1;

    expect([await place(), await place()]).toEqual(["stepped", "stepped"]);
  });

  test("occasional slow steps of a bot are offset by many quick steps", async () => {
    const { asked, place } = await serveWithThread(nameAndEmail);
    await place();
    for (let round = 0; round < 3; round++) {
      asked.blockMs = maxWasteMs - 1;
      expect(await place()).toBe("thread");
      asked.blockMs = 0;
      for (let step = 0; step < 1_000; step++) await place();
    }

    expect(await place()).toBe("stepped");
  });

  test("an inline step produces no result after its time limit", () => {
    const flow = JSON.stringify(nameAndEmail);
    const tools = { blocks, cache: createProgramCache(1_000_000, blocks), runScript };
    const task = { ...taskOf(startInput), programs: [{ key: "go", botId: "bot", flow }] };

    expect(
      runTask(
        tools,
        task,
        createMeter(inlineQuota, () => true),
      ),
    ).toEqual({ kind: "tooLong" });
    expect(
      runTask(
        tools,
        task,
        createMeter(inlineQuota, () => false),
      ),
    ).toEqual(runTask(tools, task));
  });
});
