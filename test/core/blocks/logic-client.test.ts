import { describe, expect, test } from "bun:test";
import { bubble, chatWith, question } from "./logic-flow.ts";

describe("Redirect", () => {
  const actionsOf = (options: object, variables: Readonly<Record<string, unknown>> = {}) =>
    chatWith({ groups: { g1: [{ id: "b1", type: "Redirect", options }, bubble("b2", "on")] }, variables }).start
      .actions;

  test("the client is redirected and the flow continues", () => {
    const { start } = chatWith({
      groups: { g1: [{ id: "b1", type: "Redirect", options: { url: "example.com" } }, bubble("b2", "on")] },
    });
    expect(start.actions).toEqual([{ type: "redirect", redirect: { url: "https://example.com" } }]);
    expect(start.said).toEqual(["on"]);
  });

  test.each([
    ["https://example.com/a", "https://example.com/a"],
    ["http://example.com", "http://example.com"],
    ["mailto:a@example.com", "mailto:a@example.com"],
    ["tel:+331", "tel:+331"],
    ["sms:+331", "sms:+331"],
    ["/local", "https:///local"],
    ["javascript:alert(1)", "https://javascript:alert(1)"],
    ["{{Site}}/x", "https://example.com/x"],
    ["{{Template}}", "{{Site}}/y"],
  ])("a redirect to %s sends the client to %s", (url, expected) => {
    const variables = { Site: "example.com", Template: "{{Site}}/y" };
    expect(actionsOf({ url }, variables)).toEqual([{ type: "redirect", redirect: { url: expected } }]);
  });

  test("a redirect requests a new tab if the author configured one", () => {
    expect(actionsOf({ url: "example.com", isNewTab: true })).toEqual([
      { type: "redirect", redirect: { url: "https://example.com", isNewTab: true } },
    ]);
  });

  test("a redirect without an address is skipped", () => {
    expect(actionsOf({})).toEqual([]);
    expect(actionsOf({ url: "" })).toEqual([]);
  });

  test("the flow follows the edge of a Redirect block", () => {
    const g1 = [
      { id: "b1", type: "Redirect", options: { url: "example.com" }, outgoingEdgeId: "e1" },
      bubble("b2", "no"),
    ];
    const { start } = chatWith({ groups: { g1, g2: [bubble("b3", "yes")] }, edges: { e1: "g2" } });
    expect(start.said).toEqual(["yes"]);
  });

  test("an action contains the id of the last bubble before it", () => {
    const g1 = [bubble("b0", "look"), { id: "b1", type: "Redirect", options: { url: "example.com" } }];
    expect(chatWith({ groups: { g1 } }).start.actions[0]?.lastBubbleBlockId).toBe("b0");
  });
});

describe("Wait", () => {
  const waiting = (options: object, variables: Readonly<Record<string, unknown>> = {}) =>
    chatWith({ groups: { g1: [{ id: "b1", type: "Wait", options }, bubble("b2", "on")] }, variables });

  test.each([
    [{ secondsToWaitFor: "0" }],
    [{ secondsToWaitFor: "abc", shouldPause: true }],
    [{ shouldPause: true }],
    [{ secondsToWaitFor: "", shouldPause: true }],
    [{ secondsToWaitFor: "5 s" }],
    [{ secondsToWaitFor: "Infinity" }],
    [{}],
  ])("a wait with the options %j is skipped", (options) => {
    const { start } = waiting(options);
    expect(start.actions).toEqual([]);
    expect(start.said).toEqual(["on"]);
  });

  test("a wait sends its delay to the client without pausing the flow", () => {
    const { start } = waiting({ secondsToWaitFor: "{{Seconds}}" }, { Seconds: "1.5" });
    expect(start.actions).toEqual([{ type: "wait", wait: { secondsToWaitFor: 1.5 } }]);
    expect(start.said).toEqual(["on"]);
  });

  test("a paused flow continues with the next reply, even if the reply is empty", () => {
    for (const message of [null, "anything"]) {
      const chat = waiting({ secondsToWaitFor: "0", shouldPause: true });
      expect(chat.start.actions).toEqual([
        { type: "wait", wait: { secondsToWaitFor: 0 }, expectsDedicatedReply: true },
      ]);
      expect(chat.start.said).toEqual([]);
      expect(chat.start.isEnded).toBe(false);
      expect(chat.say(message).said).toEqual(["on"]);
    }
  });

  test("a paused flow continues at the edge of its Wait block", () => {
    const wait = {
      id: "b1",
      type: "Wait",
      options: { secondsToWaitFor: "1", shouldPause: true },
      outgoingEdgeId: "e1",
    };
    const chat = chatWith({
      groups: { g1: [wait, bubble("b2", "no")], g2: [bubble("b3", "yes")] },
      edges: { e1: "g2" },
    });
    expect(chat.say(null).said).toEqual(["yes"]);
  });
});

describe("code in the client", () => {
  const code = (options: object) => ({ id: "b1", type: "Code", options });

  test("the client gets code with variable ids instead of names", () => {
    const options = { content: "alert({{Name}}, {{Age}}, {{Name}}, {{Nobody}})", isUnsafe: true };
    const { start } = chatWith({
      groups: { g1: [code(options), bubble("b2", "on")] },
      variables: { Name: "Ana", Age: "024", Other: "x" },
    });
    const args = [
      { id: "vName", value: "Ana" },
      { id: "vAge", value: "024" },
    ];
    expect(start.actions).toEqual([
      { type: "scriptToExecute", scriptToExecute: { content: "alert(vName, vAge, vName, )", args, isUnsafe: true } },
    ]);
    expect(start.said).toEqual(["on"]);
  });

  test.each([
    ["24", 24],
    ["0.5", 0.5],
    ["+33", "+33"],
    ["true", true],
    ["null", null],
    [
      ["1", null],
      ["1", null],
    ],
    [null, null],
  ])("the client gets the value %j as %j", (stored, value) => {
    const { start } = chatWith({
      groups: { g1: [code({ content: "{{A}}", isExecutedOnClient: true })] },
      variables: { A: stored },
    });
    expect(start.actions[0]?.["scriptToExecute"]).toEqual({ content: "vA", args: [{ id: "vA", value }] });
  });

  test("a block without code is skipped", () => {
    expect(chatWith({ groups: { g1: [code({}), bubble("b2", "on")] } }).start.actions).toEqual([]);
  });
});

describe("a block that waits for a call", () => {
  const mapping = (bodyPath: string, variableId = "vA") => ({ id: "m", bodyPath, variableId });
  const listening = (...responseVariableMapping: object[]) =>
    chatWith({
      groups: {
        g1: [{ id: "b1", type: "webhook", options: { responseVariableMapping } }, bubble("b2", "on"), question("q")],
      },
      variables: { A: "old", B: "kept" },
    });

  test("the flow pauses while the client waits for the webhook call", () => {
    const { start } = listening();
    expect(start.actions).toEqual([{ type: "listenForWebhook", expectsDedicatedReply: true }]);
    expect(start.said).toEqual([]);
    expect(start.isEnded).toBe(false);
  });

  test("the body of the call is mapped to variables", () => {
    const turn = listening(mapping("data.a.b")).say('{"data":{"a":{"b":[1]}}}');
    expect(turn.valueOf("A")).toEqual(["1"]);
    expect(turn.said).toEqual(["on"]);
  });

  test("a call's body that is not JSON is mapped as text with the status code 200", () => {
    const turn = listening(mapping("statusCode"), mapping("data", "vB")).say("hello");
    expect(turn.valueOf("A")).toBe("200");
    expect(turn.valueOf("B")).toBe("hello");
  });

  test("a body path that fails leaves its variable unchanged", () => {
    const turn = listening(mapping("data.a.b"), mapping("data.length", "vB")).say("hello");
    expect(turn.valueOf("A")).toBe("old");
    expect(turn.valueOf("B")).toBe("5");
  });

  test("a body path to a missing value clears its variable", () => {
    expect(listening(mapping("data.missing")).say('{"data":{}}').valueOf("A")).toBeNull();
  });

  test("body paths may contain variables, and use their previous values", () => {
    const turn = listening(mapping("data.b"), mapping('data["{{A}}"]', "vB")).say('{"data":{"b":"new","old":"found"}}');
    expect(turn.valueOf("A")).toBe("new");
    expect(turn.valueOf("B")).toBe("found");
  });

  test.each([["5"], ["null"], ['"text"'], ["[1,2]"]])("the JSON body %s has no data", (body) => {
    const turn = listening(mapping("typeof data")).say(body);
    expect(turn.valueOf("A")).toBe("undefined");
  });

  test("the flow continues with unchanged variables after an empty reply", () => {
    const turn = listening(mapping("data")).say(null);
    expect(turn.valueOf("A")).toBe("old");
    expect(turn.said).toEqual(["on"]);
  });
});
