import { expect, test } from "bun:test";
import { textAt, valueAt } from "../../../../src/core/interpreter/flow.ts";
import { chatWith } from "../logic-flow.ts";
import vectors from "./chatwoot-vectors.json";

test.each(vectors.scripts)("the script of the chat widget $is", ({ options, hasWidget, calls }) => {
  const groups = { g1: [{ id: "chat", type: "Chatwoot", options }] };
  const [action] = chatWith({ groups, variables: vectors.variables }, { resultId: "r" }).start.actions;

  const heard: unknown = callsOf(valueAt(action, "chatwoot", "scriptToExecute"), hasWidget);

  expect(heard).toEqual(calls);
});

/** Runs a script as a client does, in a page with or without the widget. */
function callsOf(script: unknown, hasWidget: boolean): unknown[] {
  const calls: unknown[] = [];
  const note =
    (name: string) =>
    (...found: unknown[]) =>
      calls.push([name, ...found]);
  const widget = { setUser: note("setUser"), toggle: note("toggle"), toggleBubbleVisibility: note("bubble") };
  const loaded: { src?: string; onload?: () => void }[] = [];
  let ready = () => {};
  const page: Record<string, unknown> = {
    ...(hasWidget && { $chatwoot: widget }),
    addEventListener: (_: string, listener: () => void) => {
      ready = listener;
    },
    chatwootSDK: {
      run: (settings: unknown) => {
        calls.push(["run", settings]);
        page["$chatwoot"] = widget;
        ready();
      },
    },
  };
  const document = { createElement: () => ({}), head: { appendChild: (found: object) => loaded.push(found) } };
  const args = valueAt(script, "args");
  const values = Array.isArray(args) ? args.map((argument) => [textAt(argument, "id") ?? "", argument.value]) : [];
  const run = new Function("window", "document", ...values.map(([id]) => id), textAt(script, "content") ?? "");
  run(page, document, ...values.map(([, value]) => value));
  for (const { src, onload } of loaded) {
    calls.push(["load", src]);
    onload?.();
  }
  return calls;
}
