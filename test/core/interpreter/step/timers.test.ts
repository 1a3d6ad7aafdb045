import { describe, expect, test } from "bun:test";
import { blocks } from "../../../../src/core/blocks/index.ts";
import type { FlowBlock, FlowDocument } from "../../../../src/core/interpreter/flow.ts";
import type { Effect, Report } from "../../../../src/core/interpreter/program/effect.ts";
import { compile } from "../../../../src/core/interpreter/program/program.ts";
import type { SessionState, StepReply } from "../../../../src/core/interpreter/program/state.ts";
import { advance } from "../../../../src/core/interpreter/step/advance.ts";
import { closeStep } from "../../../../src/core/interpreter/step/step.ts";
import { timerChangeOf } from "../../../../src/core/interpreter/step/timers.ts";
import { createSandbox } from "../../../../src/platform/sandbox/index.ts";

const runScript = await createSandbox();
const timeout = { after: 60 };
const question: FlowBlock = { id: "asks", type: "email input", options: { timeout } };
const says = (more: object = {}): FlowBlock => ({ id: "says", type: "text", content: { richText: [] }, ...more });
const returns: FlowBlock = { id: "returns", type: "Return" };
const text = (words: string): StepReply => ({ type: "text", text: words });

/** Returns a flow with a group that asks, another group to which an event leads, and an edge back. */
function flowWith(
  asked: FlowBlock,
  event?: { readonly type: string; readonly options?: object },
  led: FlowBlock[] = [],
) {
  const events = event ? [{ id: "event", ...event, outgoingEdgeId: "aside" }] : [];
  return {
    version: "6.1",
    events: [{ id: "start", type: "start", outgoingEdgeId: "back" }, ...events],
    groups: [
      { id: "asking", title: "", blocks: [asked] },
      { id: "led", title: "", blocks: led },
    ],
    edges: [
      { id: "back", to: { groupId: "asking" } },
      { id: "aside", to: { groupId: "led" } },
    ],
    variables: [],
  } satisfies FlowDocument;
}

type Moment = { readonly now: number; readonly askedAt?: number };

/**
 * Returns a function that runs the next step of a chat: the start, then replies. `askedAt` is the time at which the
 * effects of the step are done. The function returns the change of the timer.
 */
function chatWith(flow: FlowDocument, perform: (effect: Effect) => Report = () => ({ kind: "refused", reason: "" })) {
  const program = compile("program", "bot", flow, blocks);
  const start = {
    kind: "start",
    resultId: "r",
    isStreamEnabled: false,
    isOnlyRegistering: false,
    options: {},
  } as const;
  let state: SessionState | undefined;
  return (reply: StepReply | null, { now, askedAt = now }: Moment) => {
    const seed = String(now).padStart(32, "0");
    const context = { now, seed, isLive: true, contentFormat: "richText" as const, blocks, runScript };
    const message = reply?.type === "text" ? reply : null;
    const input = state ? ({ kind: "reply", state, reply } as const) : { ...start, reply: message };
    let done = advance(context, program, () => program, input);
    while (done.kind === "performing") {
      const { continuation, effect } = done;
      const report = perform(effect);
      done = advance({ ...context, askedAt }, program, () => program, { kind: "report", continuation, report });
    }
    if (done.kind !== "stepped") throw new Error(`It is ${done.kind}`);
    state = JSON.parse(JSON.stringify(closeStep(done.step)));
    return timerChangeOf(done.step, { isEnded: done.isEnded });
  };
}

test("a question gets its full time after the calls of its step", () => {
  const call = { id: "calls", type: "Webhook", options: { webhook: { url: "https://example.com/" } } };
  const step = chatWith(flowWith(question, { type: "reply" }, [call, returns]));

  const asked = step(text("no e-mail"), { now: 1_000, askedAt: 41_000 });

  expect(asked).toMatchObject({ open: { due: 101_000, inMs: 60_000 } });
});

describe("a question that is asked again", () => {
  const command = (more: object = {}) => ({ type: "command", options: { command: "aside", ...more } });
  const aside = { type: "command", command: "aside" } as const;
  const behind = says({ outgoingEdgeId: "back" });

  test.each<[string, FlowDocument, StepReply]>([
    ["after a refused reply", flowWith(question), text("no e-mail")],
    [
      "repeated by an edge of the event for a refused reply",
      flowWith(question, { type: "invalidReply" }, [behind]),
      text("no"),
    ],
    [
      "repeated by a Return of the event for a refused reply",
      flowWith(question, { type: "invalidReply" }, [returns]),
      text("no e-mail"),
    ],
    ["repeated by a Return of a command", flowWith(question, command(), [returns]), aside],
    ["after a command that resumes", flowWith(question, command({ resumeAfter: true }), [says()]), aside],
  ])("a question %s keeps its remaining time", (_, flow, reply) => {
    const step = chatWith(flow);
    const { open } = step(null, { now: 1_000 }) ?? {};
    expect(open).toMatchObject({ due: 61_000, inMs: 60_000 });

    const again = step(reply, { now: 31_000 });

    expect(again).toMatchObject({ open: { visit: open?.visit, due: 61_000 } });
    expect(again).not.toHaveProperty("open.inMs");
  });

  test("a question keeps its remaining time if a call refuses the reply", () => {
    const payment = { id: "asks", type: "payment input", options: { credentialsId: "c", amount: "5", timeout } };
    const step = chatWith(flowWith(payment), ({ kind }) =>
      kind === "payment"
        ? { kind, paymentIntentSecret: "s", publicKey: "pk", paymentId: "p" }
        : { kind: "paymentCheck", status: "open" },
    );
    step(null, { now: 1_000 });

    expect(step(text("paid"), { now: 31_000 })).toMatchObject({ open: { due: 61_000 } });
  });

  test("a question that a Return repeats gets its full time again", () => {
    const step = chatWith(flowWith(question, command(), [{ id: "other", type: "text input" }, returns]));
    step(null, { now: 1_000 });
    expect(step(aside, { now: 11_000 })).not.toHaveProperty("open");

    expect(step(text("Yes"), { now: 31_000 })).toMatchObject({ open: { due: 91_000, inMs: 60_000 } });
  });

  test.each([
    ["a command", command(), aside],
    ["a reply event", { type: "reply" }, text("ada@example.com")],
  ])("a question that is repeated by an edge of %s has its full time again", (_, event, reply) => {
    const step = chatWith(flowWith(question, event, [behind]));
    const { open } = step(null, { now: 1_000 }) ?? {};

    expect(step(reply, { now: 31_000 })).toMatchObject({ ended: open?.visit, open: { due: 91_000, inMs: 60_000 } });
  });
});
