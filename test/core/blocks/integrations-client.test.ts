import { describe, expect, test } from "bun:test";
import { closeWidgetScript } from "../../../src/core/blocks/integrations/chatwoot-scripts.ts";
import { valueAt } from "../../../src/core/interpreter/flow.ts";
import { bubble, chatWith } from "./logic-flow.ts";

type Setting = { readonly variables?: Readonly<Record<string, unknown>>; readonly isLive?: boolean };

/**
 * Returns the actions that a block requests from the client, and the logs, without the actions and logs of every start.
 */
function run(type: string, options: unknown, { variables = {}, isLive = true }: Setting = {}) {
  const groups = { g1: [{ id: "i", type, options }, bubble("b", "on")] };
  const { start } = chatWith({ groups, variables }, { resultId: isLive ? "r" : null });
  expect(start.said).toEqual(["on"]);
  const actions = start.actions.filter((action) => action.type !== "startPropsToInject");
  const logs = start.logs.filter(({ description }) => !description.includes("Preview mode"));
  return { actions, logs };
}

describe("Google Analytics", () => {
  const options = {
    trackingId: "G-{{N}}",
    category: "c",
    action: "{{A}}",
    label: "{{None}}",
    value: "{{V}}",
    sendTo: "undefined",
  };
  const variables = { N: "1", A: "true", V: "12.5", None: null };

  test("numeric and boolean texts in a Google Analytics event are converted", () => {
    const { actions } = run("Google Analytics", options, { variables });

    const googleAnalytics = { trackingId: "G-1", category: "c", action: true, value: 12.5 };
    expect(JSON.parse(JSON.stringify(actions))).toEqual([{ type: "googleAnalytics", googleAnalytics }]);
  });

  test("Google Analytics gets a configured number unchanged", () => {
    const { actions } = run("Google Analytics", { trackingId: "G-1", value: 0 });

    expect(actions).toEqual([{ type: "googleAnalytics", googleAnalytics: { trackingId: "G-1", value: 0 } }]);
  });

  test("Google Analytics gets no event in previews or without options", () => {
    expect(run("Google Analytics", options, { variables, isLive: false })).toEqual({ actions: [], logs: [] });
    expect(run("Google Analytics", undefined)).toEqual({ actions: [], logs: [] });
  });
});

describe("Pixel", () => {
  const params = [
    { id: "p1", key: "value", value: "{{V}}" },
    { id: "p2", key: "{{None}}", value: "x" },
  ];
  const options = { pixelId: "0{{V}}", eventType: "Custom", name: "{{N}}", params };
  const variables = { V: "12.50", N: "ordered", None: null };

  test("variables in a Pixel event's name and parameters are replaced", () => {
    expect(run("Pixel", options, { variables }).actions).toEqual([
      {
        type: "pixel",
        pixel: {
          pixelId: "0{{V}}",
          eventType: "Custom",
          name: "ordered",
          params: [
            { id: "p1", key: "value", value: 12.5 },
            { id: "p2", value: "x" },
          ],
        },
      },
    ]);
  });

  test.each([
    [undefined],
    [{ pixelId: "1" }],
    [{ eventType: "Lead" }],
    [{ pixelId: "", eventType: "Lead" }],
    [{ pixelId: "1", eventType: "Unheard of" }],
  ])("Pixel gets no event with the options %p", (found) => {
    expect(run("Pixel", found)).toEqual({ actions: [], logs: [] });
  });

  test("Pixel gets no event in previews", () => {
    expect(run("Pixel", options, { variables, isLive: false })).toEqual({ actions: [], logs: [] });
  });
});

describe("Chatwoot", () => {
  const websiteToken = "token";
  const scriptOf = (options: object, variables: Setting["variables"] = {}) => {
    const { actions, logs } = run("Chatwoot", options, { variables });
    expect(logs).toEqual([]);
    expect(actions).toHaveLength(1);
    const content = valueAt(actions[0]?.["chatwoot"], "scriptToExecute", "content");
    const args = valueAt(actions[0]?.["chatwoot"], "scriptToExecute", "args");
    return { content: String(content), args: Array.isArray(args) ? args : [] };
  };

  /** Runs a script as a client does, in a page with or without the widget. */
  function runInPage(script: { content: string; args: readonly { id: string; value: unknown }[] }, hasWidget: boolean) {
    const calls: unknown[] = [];
    const scripts: { src?: string; onload?: () => void }[] = [];
    const listeners = new Map<string, () => void>();
    const widget = {
      setUser: (...found: unknown[]) => calls.push(["setUser", ...found]),
      toggle: (state: string) => calls.push(["toggle", state]),
      toggleBubbleVisibility: (state: string) => calls.push(["bubble", state]),
    };
    const page: Record<string, unknown> = {
      addEventListener: (name: string, listener: () => void) => listeners.set(name, listener),
      chatwootSDK: {
        run: (settings: unknown) => {
          calls.push(["run", settings]);
          page["$chatwoot"] = widget;
          listeners.get("chatwoot:ready")?.();
        },
      },
      ...(hasWidget && { $chatwoot: widget }),
    };
    const document = { createElement: () => ({}), head: { appendChild: (found: object) => scripts.push(found) } };
    const names = script.args.map(({ id }) => id);
    new Function("window", "document", ...names, script.content)(
      page,
      document,
      ...script.args.map(({ value }) => value),
    );
    for (const { src, onload } of scripts) {
      calls.push(["load", src]);
      onload?.();
    }
    return calls;
  }

  const user = {
    id: "{{Id}}",
    email: "{{Mail}}",
    name: '{{First}} + " " + {{Last}}',
    avatarUrl: "{{None}} // later",
    phoneNumber: "{{Phone}}",
  };
  const variables = { Id: "007", Mail: "ana@example.com", First: "Ana", Last: 'B."', Phone: "+33 6", None: null };

  test("Chatwoot is loaded, gets the visitor's identity, and is opened", () => {
    const script = scriptOf({ websiteToken, baseUrl: "https://chat.example.com/", user }, variables);

    const settings = { baseUrl: "https://chat.example.com", websiteToken };
    const details = { email: "ana@example.com", name: 'Ana B."', avatar_url: null, phone_number: "+33 6" };
    expect(runInPage(script, false)).toEqual([
      ["load", "https://chat.example.com/packs/js/sdk.js"],
      ["run", settings],
      ["setUser", "007", details],
      ["toggle", "open"],
    ]);
    expect(runInPage(script, true)).toEqual([
      ["setUser", "007", details],
      ["toggle", "open"],
    ]);
  });

  test("Chatwoot identifies a visitor without an id by the e-mail address", () => {
    expect(runInPage(scriptOf({ websiteToken, user: { email: "{{Mail}}" } }, variables), true)).toEqual([
      ["setUser", "ana@example.com", { email: "ana@example.com" }],
      ["toggle", "open"],
    ]);
    expect(runInPage(scriptOf({ websiteToken, user: { id: "{{None}}" } }, variables), true)).toEqual([
      ["toggle", "open"],
    ]);
    expect(runInPage(scriptOf({ websiteToken }), true)).toEqual([["toggle", "open"]]);
  });

  test("Chatwoot gets the values of variables as data, not as code", () => {
    const sneaky = '");calls.length=0;</script>{{Mail}}$`';
    const script = scriptOf(
      { websiteToken: "{{Sneaky}}", baseUrl: "https://{{Host}}", user: { id: "{{Sneaky}}" } },
      { Sneaky: sneaky, Host: "a.example" },
    );

    expect(script.args).toEqual([{ id: "vSneaky", value: sneaky }]);
    expect(script.content).not.toContain("</script>");
    expect(runInPage(script, false)).toEqual([
      ["load", "https://a.example/packs/js/sdk.js"],
      ["run", { baseUrl: "https://a.example", websiteToken: sneaky }],
      ["setUser", sneaky, {}],
      ["toggle", "open"],
    ]);
  });

  test("Chatwoot is loaded from the default server if no server is configured", () => {
    expect(runInPage(scriptOf({ websiteToken }), false)[0]).toEqual([
      "load",
      "https://app.chatwoot.com/packs/js/sdk.js",
    ]);
  });

  test("the Close widget task closes and hides Chatwoot if it is loaded", () => {
    const script = scriptOf({ task: "Close widget" });

    expect(script).toEqual({ content: closeWidgetScript, args: [] });
    expect(runInPage(script, true)).toEqual([
      ["toggle", "close"],
      ["bubble", "hide"],
    ]);
    expect(runInPage(script, false)).toEqual([]);
  });

  test("a Chatwoot block in a preview sends an empty script and logs a note", () => {
    const { actions, logs } = run("Chatwoot", { websiteToken, user }, { variables, isLive: false });

    expect(actions).toEqual([{ type: "chatwoot", chatwoot: { scriptToExecute: { content: "", args: [] } } }]);
    expect(logs).toEqual([{ status: "info", description: "Chatwoot block is not supported in preview" }]);
  });

  test("a Chatwoot block without a website token is skipped and logged", () => {
    const { actions, logs } = run("Chatwoot", undefined);

    expect(actions).toEqual([]);
    expect(logs).toEqual([{ description: "The Chatwoot block has no website token" }]);
  });
});
