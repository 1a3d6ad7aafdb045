import { describe, expect, test } from "bun:test";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { guardedRooms, readDiff } from "./changed.ts";
import { type KnownMutant, knownMutants, mutatedText } from "./known.ts";
import { mutantsOf } from "./mutants.ts";
import { testsOf } from "./tests-of.ts";

function changed(text: string): string[] {
  return mutantsOf(text).map(({ start, end, becomes }) => text.slice(0, start) + becomes + text.slice(end));
}

describe("a mutant", () => {
  test.each([
    ["if (a) b = 1;", ["if (!(a)) b = 1;", "if (a) ;", "if (a) b = (1 + 1);"]],
    ["x = a < b;", [";", "x = a <= b;"]],
    ["x = a === b;", [";", "x = a !== b;"]],
    ["x = a && b;", [";", "x = a || b;"]],
    ["x = a ?? b;", [";", "x = a;"]],
    ["x = !a;", [";", "x = a;"]],
    ["x = a - b;", [";", "x = a + b;"]],
    ["count++;", [";", "count--;"]],
    ["sum += a;", [";", "sum -= a;"]],
    ["close();", [";"]],
    ["await close();", [";", "close();"]],
    ["x = a?.b;", [";", "x = a.b;"]],
    ["x = a?.[b];", [";", "x = a[b];"]],
    ["x = a?.(b);", [";", "x = a(b);"]],
    ["x = Math.min(a, b);", [";", "x = Math.max(a, b);"]],
    ["x = true;", [";", "x = false;"]],
    ["function f() { return a; }", ["function f() { return undefined; }"]],
    ["for (;;) { break; }", ["for (;;) { ; }"]],
  ])("the mutants of %p are the expected mutants", (text, expected) => {
    expect(changed(text)).toEqual(expected);
  });

  test("a mutant removes or inverts a condition of an SQL statement", () => {
    const statement = (conditions: string) => `const q = sql\`\n  select a\n  from b\n  ${conditions}\`;`;

    expect(changed(statement("where id = 1\n  and not is_ended"))).toEqual([
      statement("where id <> 1\n  and not is_ended"),
      statement("where id = 1\n  "),
      statement("where id = 1\n  and is_ended"),
    ]);
    expect(changed(statement("where a < b\n  or c"))).toEqual([statement("where a <= b\n  or c")]);
  });

  test("a mutant is never in a type, an import, or a composed text", () => {
    expect(changed('import { a } from "b";\ntype C = 1 | true;\ninterface D { e: 2 }\nconst f: 3 = g as 4;')).toEqual(
      [],
    );
    expect(changed('const h = "i" + j;')).toEqual([]);
  });

  test("a mutant is found in a generic function, and in a JSX element", () => {
    expect(mutantsOf("const f = <T>(a: T, b: T) => a === b;").map(({ was }) => was)).toEqual(["a === b"]);
    expect(mutantsOf("const g = <p>{a === b}</p>;", { hasElements: true }).map(({ was }) => was)).toEqual(["a === b"]);
  });

  test("a mutant reports the number of its source line", () => {
    expect(mutantsOf("a();\n\nb();").map(({ line, was }) => [line, was])).toEqual([
      [1, "a();"],
      [3, "b();"],
    ]);
  });
});

describe("the tests of a file", () => {
  const testsIn = (path: string) => testsOf(join(import.meta.dir, "../../.."), path);

  test("the tests of a file import the file", () => {
    expect(testsIn("test/tools/mutate/tests-of.ts")).toEqual(["test/tools/mutate/mutants.test.ts"]);
  });

  test("tests whose names match the file come first, in any folder", () => {
    const [first, second] = testsIn("src/chat/preview-chat.ts");

    expect([first, second].toSorted()).toEqual(["test/chat/preview.test.ts", "test/chat/routes/chat.test.ts"]);
  });
});

describe("a known mutant", () => {
  const root = join(import.meta.dir, "../../..");
  const read = (path: string) => readFileSync(join(root, path), "utf8");

  test.each(knownMutants.map((mutant) => [mutant.guard, mutant] as const))(
    "a known mutant can be created: %s",
    (_, mutant) => {
      expect(mutatedText(read(mutant.path), mutant)).not.toBe(read(mutant.path));
      expect(existsSync(join(root, mutant.test))).toBe(true);
    },
  );

  test("a known mutant is rejected if its text is missing, or occurs twice", () => {
    const mutant: KnownMutant = { guard: "A guard", path: "a.ts", was: "b", becomes: "c", test: "t", title: "t" };
    expect(mutatedText("abd", mutant)).toBe("acd");
    for (const text of ["ad", "bb"]) expect(() => mutatedText(text, mutant)).toThrow("exactly once");
  });
});

describe("changed lines", () => {
  test("changed lines are the added lines of a diff", () => {
    const diff = [
      "diff --git a/src/old.ts b/src/new.ts",
      "--- a/src/old.ts",
      "+++ b/src/new.ts",
      "@@ -3 +3,2 @@",
      "+one",
      "+two",
      "@@ -9,2 +10,0 @@",
      "@@ -20,0 +20 @@",
      "+three",
      "--- a/src/looks.css",
      "+++ b/src/looks.css",
      "@@ -1 +1 @@",
      "--- a/src/gone.ts",
      "+++ /dev/null",
      "@@ -1,5 +0,0 @@",
      "",
    ].join("\n");

    expect([...readDiff(diff)]).toEqual([["src/new.ts", new Set([3, 4, 20])]]);
  });

  test("proven.json contains only the commit from which changed lines are counted", () => {
    const named: unknown = JSON.parse(readFileSync(join(import.meta.dir, "proven.json"), "utf8"));

    expect(named).toEqual({ commit: expect.stringMatching(/^[0-9a-f]{40}$/) });
  });

  test("the folders that are searched for changed lines exist", () => {
    for (const room of guardedRooms) expect(existsSync(join(import.meta.dir, "../../..", room))).toBe(true);
  });
});
