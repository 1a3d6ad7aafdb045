import { afterEach, expect, test } from "bun:test";
import { h, options, render } from "preact";
import { forgetAll, type Query, refresh, setKnown, useQuery } from "../../../../src/web/app/api/index.ts";

const { requestAnimationFrame: ownFrame } = options;
afterEach(() => {
  forgetAll();
  if (ownFrame) options.requestAnimationFrame = ownFrame;
  else Reflect.deleteProperty(options, "requestAnimationFrame");
});

/** Lets a component request a value, as on a page. The component renders nothing, so the test needs no document. */
function asking(key: string) {
  const answers: ((value: string) => void)[] = [];
  let shown: Query<string> | undefined;
  const Asking = () => {
    shown = useQuery(key, () => new Promise<string>((resolve) => answers.push(resolve)));
    return null;
  };
  // Effects run immediately.
  options.requestAnimationFrame = (run) => run();
  render(h(Asking, null), Object.assign(Object.create(null), { nodeType: 1, childNodes: [], firstChild: null }));
  return { answers, shown: () => shown?.value };
}

test("an older response does not replace the newest response", async () => {
  const { answers, shown } = asking("thing");
  const again = refresh("thing");
  expect(answers).toHaveLength(2);
  answers[1]?.("new");
  await again;
  expect(shown()).toBe("new");

  answers[0]?.("old");
  await settled();
  expect(shown()).toBe("new");
});

test("a response to an earlier request does not replace a written value", async () => {
  const { answers, shown } = asking("other");
  setKnown("other", "written");
  answers[0]?.("old");
  await settled();
  expect(shown()).toBe("written");
});

/** Resolves after all consequences of a response, because a macrotask runs after all of them. */
function settled(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
