import { describe, expect, test } from "bun:test";
import { CompletionContext } from "@codemirror/autocomplete";
import { EditorState } from "@codemirror/state";
import { callSource } from "../../../../src/web/app/code/completions.ts";

const calls = { setVariable: "Sets a variable.", fetch: "Calls a server." };
const source = callSource({
  words: { variable: "variable", makeVariable: ({ name }) => name, calls },
  isScript: true,
  names: () => [],
  makeVariable: () => {},
});

/** Returns the functions that are offered at the end of a text, or undefined if no functions are offered. */
async function offered(doc: string, isExplicit = false): Promise<readonly string[] | undefined> {
  const found = await source(new CompletionContext(EditorState.create({ doc }), doc.length, isExplicit));
  return found?.options.map(({ label }) => label);
}

describe("the functions of scripts", () => {
  test("script functions are offered after the first letter of a word", async () => {
    expect(await offered("const answer = fe")).toEqual(["setVariable", "fetch"]);
    expect(await offered("f")).toEqual(["setVariable", "fetch"]);
    expect(await offered("const answer = ")).toBeUndefined();
    expect(await offered("const answer = ", true)).toEqual(["setVariable", "fetch"]);
  });

  test.each(["answer.f", "answer.", "answer?.fe"])(
    "the functions of scripts are not offered in the member access %p",
    async (doc) => {
      expect(await offered(doc)).toBeUndefined();
      expect(await offered(doc, true)).toBeUndefined();
    },
  );

  test("the functions of scripts are not offered in the name of a variable", async () => {
    expect(await offered("{{Na")).toBeUndefined();
  });
});
