import { describe, expect, test } from "bun:test";
import { ApiFailure } from "../../../src/web/app/api/index.ts";
import { createRun } from "../../../src/web/app/preview/run.ts";
import type { PreviewService } from "../../../src/web/app/preview/service.ts";
import { type TracedStep, variablesIn, walkedIn } from "../../../src/web/app/preview/trace.ts";
import type { Message } from "../../../src/web/conversation/step.ts";

/**
 * Simulates a service with a flow of questions, one after another. A reply of "no" is rejected. Each chat keeps the
 * questions with which it started.
 */
function serviceOf(questions: { list: readonly string[]; effectAt?: string }) {
  const said: Message[] = [];
  const chats = new Map<string, { list: readonly string[]; at: number; steps: TracedStep[] }>();
  let count = 0;
  const chatOf = (id: string) => chats.get(id) ?? { list: [], at: 0, steps: [] };
  const step = (id: string, entries: TracedStep["entries"] = []) => {
    const chat = chatOf(id);
    const open = chat.list[chat.at];
    chat.steps.push({
      revision: chat.steps.length + 1,
      createdAt: "2026-08-22T06:05:06.000Z",
      wentBackTo: null,
      entries: [...entries, ...(open === undefined ? [] : [{ kind: "block" as const, blockId: open }])],
      isCut: false,
      waitsAt: open ?? null,
      isEnded: open === undefined,
    });
    return { messages: [], ...(open !== undefined && { input: { id: open, type: "text input" } }) };
  };
  const service: PreviewService = {
    async start() {
      const sessionId = `chat ${++count}`;
      chats.set(sessionId, { list: questions.list, at: 0, steps: [] });
      return { sessionId, ...step(sessionId) };
    },
    async say(sessionId, message) {
      said.push(message);
      const chat = chatOf(sessionId);
      const asked = chat.list[chat.at] ?? "";
      const text = message?.type === "text" ? message.text : "";
      if (text === "lost")
        throw new ApiFailure({ status: 500, code: "server.internal", message: "Broken", requestId: "r1" });
      if (text !== "no") chat.at++;
      const isCall = asked === questions.effectAt;
      return step(sessionId, [
        { kind: "reply", blockId: asked },
        ...(text === "no" ? [] : [{ kind: "variable" as const, variableId: asked, name: asked, value: text }]),
        ...(isCall ? [{ kind: "effect" as const, blockId: asked, effect: "http", milliseconds: 3 }] : []),
      ]);
    },
    goBack: async () => ({}),
    async passTime(sessionId) {
      chatOf(sessionId).at++;
      return step(sessionId);
    },
    async sendCall(blockId) {
      const [id = ""] = [...chats.keys()].slice(-1);
      if (chatOf(id).list[chatOf(id).at] !== blockId) throw new Error(`Nothing waits at ${blockId}`);
      chatOf(id).at++;
      step(id);
    },
    async read(sessionId) {
      const { list, at } = chatOf(sessionId);
      return { id: sessionId, ...(list[at] !== undefined && { input: { id: list[at], type: "text input" } }) };
    },
    trace: async (sessionId, after) => chatOf(sessionId).steps.filter(({ revision }) => revision > after),
    set: async () => {},
  };
  return { service, said };
}

const text = (words: string): Message => ({ type: "text", text: words });
let keys = 0;
const newKey = () => `key-${String(++keys).padStart(8, "0")}`;
const begin = async (service: PreviewService) => {
  const run = createRun(service, newKey);
  await run.start({ startFrom: undefined, variables: {} });
  const number = () => run.shown.value?.number ?? 0;
  const say = (words: string) => run.hear(number(), { kind: "say", id: 1, message: text(words), key: newKey() });
  return { run, say, number };
};

describe("a preview", () => {
  test("a preview records the variables, visited blocks and replies", async () => {
    const { service } = serviceOf({ list: ["name", "mail"] });
    const { run, say } = await begin(service);
    const answer = await say("Ada");

    expect(answer).toMatchObject({ kind: "answer", id: 1, value: { input: { id: "mail" } } });
    expect(variablesIn(run.steps.value)).toEqual([{ name: "name", value: "Ada", isCut: false, isChanged: true }]);
    expect(walkedIn(run.steps.value)).toMatchObject({ waitsAt: "mail", blockIds: new Set(["name", "mail"]) });
    expect([...run.replies.value]).toEqual([[2, "Ada"]]);
    await say("a@example.com");
    expect(run.isEnded.value).toBe(true);
    expect(variablesIn(run.steps.value).map(({ isChanged }) => isChanged)).toEqual([false, true]);
  });

  test("a preview returns to its position after an edit", async () => {
    const questions = { list: ["name", "mail", "plan"] };
    const { service } = serviceOf(questions);
    const { run, say, number } = await begin(service);
    for (const words of ["Ada", "no", "a@example.com"]) await say(words);
    const before = number();

    questions.list = ["name", "mail", "colour", "plan"];
    expect(await run.again()).toEqual({ count: 1, isWhole: false });
    expect(run.shown.value).toMatchObject({ what: "session", number: before + 1 });
    await say("a@example.com");
    expect(run.steps.value.at(-1)?.waitsAt).toBe("colour");

    questions.list = ["other"];
    expect(await run.again()).toEqual({ count: 0, isWhole: false });
    expect(run.shown.value?.what).toBe("start");
  });

  test("a preview repeats the passage of time and the received calls after an edit", async () => {
    const questions = { list: ["name", "paid", "plan"] };
    const { service } = serviceOf(questions);
    const { run, say } = await begin(service);
    await run.goOn({ kind: "time" });
    await run.goOn({ kind: "call", body: {} });
    await say("basic");

    expect(run.steps.value.map(({ waitsAt }) => waitsAt)).toEqual(["name", "paid", "plan", null]);
    expect([...run.cameFromOutside.value]).toEqual([
      [2, "time"],
      [3, "call"],
    ]);
    expect(await run.again()).toEqual({ count: 3, isWhole: true });
    questions.list = ["name", "mail"];
    expect(await run.again()).toEqual({ count: 1, isWhole: false });
  });

  test("a preview records a step once, even if its frame reads simultaneously", async () => {
    const { service } = serviceOf({ list: ["name", "mail"] });
    const { run, number } = await begin(service);
    await Promise.all([run.goOn({ kind: "time" }), run.hear(number(), { kind: "read", id: 1 })]);
    await Promise.all([1, 2].map((id) => run.hear(number(), { kind: "read", id })));

    expect(run.steps.value.map(({ revision }) => revision)).toEqual([1, 2]);
  });

  test("a preview disables the author's controls while a reply is sent", async () => {
    const { service } = serviceOf({ list: ["name", "mail"] });
    const { run, say, number } = await begin(service);

    const reading = run.hear(number(), { kind: "read", id: 1 });
    expect(run.state.value).toBe("open");
    await reading;
    const saying = say("Ada");
    expect(run.state.value).toBe("busy");
    await saying;
    expect(run.state.value).toBe("open");
  });

  test("a preview records a reply even if its frame reads the step first", async () => {
    const { service } = serviceOf({ list: ["name", "mail"] });
    let read: () => Promise<unknown> = async () => {};
    const { run, say, number } = await begin({
      ...service,
      say: async (...said) => {
        const answer = await service.say(...said);
        await read();
        return answer;
      },
    });
    read = () => run.hear(number(), { kind: "read", id: 2 });
    await say("Ada");

    expect([...run.replies.value]).toEqual([[2, "Ada"]]);
  });

  test("a preview lists the calls that a repetition would make again", async () => {
    const { service } = serviceOf({ list: ["name", "mail"], effectAt: "name" });
    const { run, say } = await begin(service);
    expect(run.calls.value).toEqual([]);
    await say("Ada");

    expect(run.calls.value).toHaveLength(1);
  });

  test("a preview reports failures and logs to the author", async () => {
    const { service } = serviceOf({ list: ["name"] });
    const { run, say, number } = await begin(service);

    expect(await say("lost")).toEqual({ kind: "refusal", id: 1, code: "server.internal", message: "Broken" });
    expect(run.failures.value).toEqual([
      { code: "server.internal", message: "Broken", requestId: "r1", isInBrowser: false },
    ]);
    await run.hear(number(), { kind: "log", description: "Script", details: "ReferenceError: x" });
    expect(run.failures.value.at(-1)).toMatchObject({ message: "Script: ReferenceError: x", isInBrowser: true });
    expect(run.state.value).toBe("open");
  });

  test("a preview ignores messages from the frame of an earlier chat", async () => {
    const { service, said } = serviceOf({ list: ["name"] });
    const { run, number } = await begin(service);
    const before = number();
    await run.start({ startFrom: undefined, variables: {} });

    expect(await run.hear(before, { kind: "say", id: 1, message: text("late"), key: newKey() })).toBeUndefined();
    expect(said).toEqual([]);
  });

  test("a preview ignores a late response of an earlier chat", async () => {
    const { service } = serviceOf({ list: ["name", "mail"] });
    const answers = Promise.withResolvers<void>();
    const { run, say } = await begin({
      ...service,
      say: async (...said) => {
        const answer = await service.say(...said);
        await answers.promise;
        return answer;
      },
    });
    const late = say("Ada");
    await run.start({ startFrom: undefined, variables: {} });
    const steps = run.steps.value;
    answers.resolve();
    await late;

    expect([run.isAnswered.value, run.steps.value]).toEqual([false, steps]);
  });
});
