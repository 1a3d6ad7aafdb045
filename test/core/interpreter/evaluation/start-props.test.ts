import { describe, expect, test } from "bun:test";
import { blocks } from "../../../../src/core/blocks/index.ts";
import { loadStartProps } from "../../../../src/core/interpreter/evaluation/start-props.ts";
import { type FlowBlock, type FlowDocument, textAt } from "../../../../src/core/interpreter/flow.ts";
import { compile } from "../../../../src/core/interpreter/program/program.ts";
import { advance } from "../../../../src/core/interpreter/step/advance.ts";
import { createSandbox } from "../../../../src/platform/sandbox/index.ts";

const runScript = await createSandbox();

function flowOf(list: readonly FlowBlock[], metadata: object = {}): FlowDocument {
  return {
    version: "6",
    groups: [
      { id: "g1", blocks: [{ id: "b", type: "text", content: { plainText: "hello" } }, ...list.slice(0, 1)] },
      { id: "g2", blocks: list.slice(1) },
    ],
    events: [{ id: "start", type: "start", outgoingEdgeId: "e" }],
    edges: [{ id: "e", to: { groupId: "g1" } }],
    variables: [],
    settings: { metadata },
  };
}

const propsOf = (list: readonly FlowBlock[], metadata: object = {}) =>
  loadStartProps(compile("p", "bot", flowOf(list, metadata), blocks), { isLive: true, blocks }).actions?.[0]?.[
    "startPropsToInject"
  ];

function startOf(flow: FlowDocument, { isLive = true, isOnlyRegistering = false } = {}) {
  const program = compile("p", "bot", flow, blocks);
  const context = { now: 0, seed: "0".repeat(32), isLive, contentFormat: "markdown" as const, blocks, runScript };
  const advanced = advance(context, program, () => program, {
    kind: "start",
    resultId: isLive ? "r" : null,
    isStreamEnabled: false,
    isOnlyRegistering,
    reply: null,
    options: {},
  });
  if (advanced.kind !== "stepped") throw new Error(`The start did not finish: ${advanced.kind}`);
  return advanced.step.record;
}

const analytics = (id: string, trackingId?: string) => ({ id, type: "Google Analytics", options: { trackingId } });
const pixel = (id: string, options: object) => ({ id, type: "Pixel", options });

const everything = flowOf([analytics("a", "G-1"), pixel("p", { pixelId: "1" })], {
  customHeadCode: "<meta>",
  googleTagManagerId: "GTM-1",
});

describe("the start code of a page", () => {
  test("the start code contains one analytics tag and each pixel", () => {
    const list = [
      analytics("a0"),
      analytics("a1", ""),
      analytics("a2", "G-1"),
      analytics("a3", "G-2"),
      pixel("p1", { pixelId: "1" }),
      pixel("p2", { pixelId: "2", isInitSkip: true }),
      pixel("p3", { pixelId: "3", isInitSkip: false }),
      pixel("p4", { pixelId: "1" }),
      pixel("p5", {}),
    ];

    expect(propsOf(list, { customHeadCode: "<meta>", googleTagManagerId: "GTM-1" })).toEqual({
      customHeadCode: "<meta>",
      gtmId: "GTM-1",
      googleAnalyticsId: "G-1",
      pixelIds: ["1", "3"],
    });
  });

  test.each([
    [[], {}],
    [[analytics("a")], { customHeadCode: "", googleTagManagerId: "" }],
    [[pixel("p", { pixelId: "2", isInitSkip: true })], { customHeadCode: "only text" }],
  ])("the start code of a page is empty for %p with %p", (list, metadata) => {
    expect(propsOf(list, metadata)).toBeUndefined();
  });

  test.each([
    ["<script>let a = 1 < 2;</script>", "<script>let a = 1 < 2;</script>"],
    [
      "hello <meta name='a > b'>there<link>\n<title>My bot</title> bye",
      "<meta name='a > b'><link><title>My bot</title>",
    ],
    ["<style>p { color: red }</style> x <!-- kept --> y", "<style>p { color: red }</style><!-- kept -->"],
    ["<noscript>a <img src=x> b</noscript>c", "<noscript>a <img src=x> b</noscript>"],
    ["a < b <base/> c </div> d <p>e", "<base/></div><p>e"],
    ["<SCRIPT>x</SCRIPT>y", "<SCRIPT>x</SCRIPT>"],
    ["<script>never closed", "<script>never closed"],
    ["<meta never closed", undefined],
  ])("the start code of a page has no text between elements: %p", (customHeadCode, expected) => {
    expect(textAt(propsOf([], { customHeadCode }), "customHeadCode")).toBe(expected);
  });
});

describe("the start of a chat", () => {
  test("the first action of a live chat injects the start code", () => {
    const { actions, logs } = startOf(everything);

    expect(actions[0]).toEqual({
      type: "startPropsToInject",
      startPropsToInject: { customHeadCode: "<meta>", gtmId: "GTM-1", googleAnalyticsId: "G-1", pixelIds: ["1"] },
    });
    expect(actions.map(({ type }) => type)).toEqual(["startPropsToInject", "googleAnalytics"]);
    expect(logs).toEqual([]);
  });

  test("a chat's start injects the start code even if no block runs yet", () => {
    const { actions } = startOf(everything, { isOnlyRegistering: true });

    expect(actions.map(({ type }) => type)).toEqual(["startPropsToInject"]);
  });

  test("the start of a preview logs which code is disabled", () => {
    const { actions, logs } = startOf(everything, { isLive: false });

    const description = "Custom head code, Google Tag Manager, Google Analytics, Pixel are not enabled in Preview mode";
    expect(actions).toEqual([]);
    expect(logs).toEqual([{ status: "info", description }]);
    expect(startOf(flowOf([pixel("p", { pixelId: "1" })]), { isLive: false }).logs).toEqual([
      { status: "info", description: "Pixel is not enabled in Preview mode" },
    ]);
  });

  test("a chat's start has no action or log entry if no code is configured", () => {
    expect(startOf(flowOf([]))).toMatchObject({ actions: [], logs: [] });
    expect(startOf(flowOf([]), { isLive: false })).toMatchObject({ actions: [], logs: [] });
  });
});
