import { existsSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { Value } from "@sinclair/typebox/value";
import { StartError } from "../../config.ts";
import { blocks } from "../../core/blocks/index.ts";
import type { StoredFlow } from "../../core/flow/document.ts";
import { valueAt } from "../../core/interpreter/flow.ts";
import { createProgramCache, programCacheBytes } from "../../core/tasks/program-cache.ts";
import { type Proof, prove } from "../../core/test-conversations/prove.ts";
import { type TestConversation, TestConversationSchema } from "../../core/test-conversations/schema.ts";
import { createSandbox } from "../../platform/sandbox/index.ts";
import { flowIn } from "../files/flow-file.ts";
import { readJsonFile } from "../files/json-file.ts";

/**
 * Runs the test conversations of a file with a flow. Throws a StartError if an entry of the file is not a test
 * conversation, and if there is no flow.
 */
export async function proveFile(name: string, { flowFile }: { flowFile: string | undefined }): Promise<Proof> {
  const conversations = listOf(await readJsonFile(name)).map((value, index) => readConversation(value, name, index));
  const flow = await readFlow(flowFile, name, conversations);
  const cache = createProgramCache(programCacheBytes, blocks);
  return prove({ blocks, cache, runScript: await createSandbox() }, flow, conversations);
}

/**
 * Returns the conversations of a file, which contains one conversation, a list of conversations, or the API's list of a
 * bot's conversations.
 */
function listOf(value: unknown): readonly unknown[] {
  if (Array.isArray(value)) return value;
  const listed = valueAt(value, "testConversations");
  return Array.isArray(listed) ? listed.map((each) => valueAt(each, "conversation") ?? each) : [value];
}

function readConversation(value: unknown, name: string, index: number): TestConversation {
  if (Value.Check(TestConversationSchema, value)) return value;
  const wrong = Value.Errors(TestConversationSchema, value).First();
  throw new StartError(
    `${name} is not a test conversation: number ${index + 1} is wrong at "${wrong?.path || "/"}" (${wrong?.message}). See docs/test-conversations.md.`,
  );
}

/**
 * Returns the flow to test: the flow in `flowFile`, the flow that the test file contains or names by a path, or the
 * flow of the bot whose folder contains the test file. Throws a StartError if there is no flow, or no unique flow.
 */
async function readFlow(
  flowFile: string | undefined,
  name: string,
  [first, ...others]: readonly TestConversation[],
): Promise<StoredFlow> {
  const inside = first?.flow;
  if (flowFile === undefined && others.some(({ flow }) => flow !== undefined && flow !== inside)) {
    throw new StartError(`${name} has several flows: choose the flow to test with --flow.`);
  }
  const ofBot = resolve(dirname(name), "../bot.json");
  const beside = typeof inside === "string" ? resolve(dirname(name), inside) : undefined;
  const path = flowFile ?? (inside === undefined && existsSync(ofBot) ? ofBot : beside);
  const flow = path === undefined ? inside : await readJsonFile(path);
  if (flow === undefined) throw new StartError(`${name} has no flow: choose a flow with --flow.`);
  return flowIn(flow, path ?? name);
}
