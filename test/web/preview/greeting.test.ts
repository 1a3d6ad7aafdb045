import { afterEach, expect, test } from "bun:test";
import { waitForGreeting } from "../../../src/web/preview/greeting.ts";

const before = { ...Object.getOwnPropertyDescriptors(globalThis) };
const replaced = ["window", "addEventListener", "removeEventListener"] as const;
afterEach(() => {
  for (const name of replaced) {
    const own = before[name];
    if (own) Object.defineProperty(globalThis, name, own);
    else Reflect.deleteProperty(globalThis, name);
  }
});

/** Simulates a frame that waits for the greeting. Without `around`, the frame is the top window. */
function waiting(around?: object) {
  const listeners = new Set<(event: object) => void>();
  const own: { parent?: object } = {};
  own.parent = around ?? own;
  Object.assign(globalThis, {
    window: own,
    addEventListener: (_: string, listen: (event: object) => void) => listeners.add(listen),
    removeEventListener: (_: string, listen: (event: object) => void) => listeners.delete(listen),
  });
  const ports: unknown[] = [];
  waitForGreeting((port) => ports.push(port));
  return {
    own,
    ports,
    post: (source: object, kind = "parley-preview", sent: readonly string[] = ["port"]) => {
      for (const listen of listeners) listen({ source, data: { kind }, ports: sent });
    },
  };
}

test("a preview accepts only the first valid greeting of the surrounding page", () => {
  const builder = {};
  const { ports, post } = waiting(builder);
  post({ name: "a page of an author in a frame of the chat" });
  post(builder, "something else");
  post(builder, "parley-preview", []);
  expect(ports).toEqual([]);

  post(builder, "parley-preview", ["first"]);
  post(builder, "parley-preview", ["second"]);
  expect(ports).toEqual(["first"]);
});

test("a preview without a surrounding page ignores a posted greeting", () => {
  const { own, ports, post } = waiting();
  post(own);
  expect(ports).toEqual([]);
});
