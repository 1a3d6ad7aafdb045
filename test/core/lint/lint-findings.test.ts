import { expect, test } from "bun:test";
import { join } from "node:path";
import { Glob } from "bun";
import { completeFlow } from "../../../src/core/flow/complete.ts";
import type { FlowParts } from "../../../src/core/flow/document.ts";
import { lintFlow } from "../../../src/core/lint/lint.ts";
import { rules } from "../../../src/core/lint/rules.ts";
import kept from "./lint-findings.json";

// Compares the linter's findings in every flow of these tests with lint-findings.json, whose findings were each checked
// by hand. A changed rule shows its effect on real flows. PARLEY_KEEP_FINDINGS=1 rewrites the file for another check.

const root = join(import.meta.dir, "../..");
const keepsAnew = process.env["PARLEY_KEEP_FINDINGS"] === "1";

async function findingsOf(path: string): Promise<string[] | undefined> {
  const content: FlowParts & { readonly flow?: FlowParts | string } = await Bun.file(join(root, path)).json();
  const flow = content.flow ?? content;
  // A conversation with a flow of test/flows, which is checked separately.
  if (typeof flow === "string") return undefined;
  return told(flow);
}

function told(flow: FlowParts): string[] {
  return lintFlow(completeFlow(flow)).map(({ rule, severity, path }) => `${severity} ${rule} ${path}`);
}

const found: Record<string, string[]> = {};
let flows = 0;
for (const path of [...new Glob("{flows,conversations}/**/*.json").scanSync(root)].sort()) {
  const findings = await findingsOf(path);
  if (findings === undefined) continue;
  flows++;
  if (findings.length > 0) found[path] = findings;
}

test("the findings in every test flow equal the reviewed findings", async () => {
  expect(flows).toBeGreaterThan(200);
  if (keepsAnew) await Bun.write(join(import.meta.dir, "lint-findings.json"), `${JSON.stringify(found, null, 2)}\n`);
  else expect(found).toEqual(kept);
});

/** The flows that Parley refused to publish before severities followed decision 32. */
const refusedBefore = [
  ...["choices/a-way-that-is-gone", "choices/an-item-whose-way-is-gone", "jumps/unknown-block", "jumps/unknown-group"],
  ...["starting/empty-group", "starting/remembered-without-a-start", "starting/without-a-start"],
  ...["walking/edge-not-found", "walking/group-not-found", "walking/loop"],
].map((name) => `conversations/${name}.json`);

test("the linter refuses only flows that could not be published before", () => {
  const refused = Object.keys(found).filter((path) => found[path]?.some((line) => line.startsWith("error ")));

  expect(refused.filter((path) => !refusedBefore.includes(path))).toEqual([]);
  expect(refused).toEqual(refusedBefore.filter((path) => path.includes("/starting/")));
  expect(rules.flatMap(({ name, severity }) => (severity === "error" ? [name] : []))).toEqual([
    ...["no_start", "empty_bot"],
  ]);
});
