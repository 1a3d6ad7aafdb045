import { exportFormats } from "../../../../src/management/results/exports/result-exports.sql.ts";
import type { Bench } from "../bench.ts";
import { askQuestions, askWithBlocks, script } from "../flows.ts";
import { benchToken } from "../service.ts";
import { readAnswers } from "./streams.ts";

/**
 * Performs the actions of people in the builder and in chats once: pages, a large flow, checks, tests, a preview,
 * files, models, and the results of a bot.
 */
export async function useInterface(
  bench: Bench,
  { modelServer, withResults }: { modelServer: string; withResults: string },
): Promise<void> {
  const call = callsOf(bench);
  const large = askQuestions({ questions: 1_000 });
  const { botId, publicId, workspaceId } = await bench.publish(large);
  await call.get("/");
  for (const path of [publicId, "docs", "docs/json", "metrics"]) await call.get(`${bench.service.chatUrl}/${path}`);
  const bot = `/api/v1/bots/${botId}`;
  await call.post("/api/v1/bots/import/check", { workspaceId, bot: large });
  await call.post(`${bot}/lint`, {});
  await call.get(`${bot}/export`);
  await call.put(`${bot}/testConversations/start`, { conversation: { title: "It asks", turns: [{ expect: {} }] } });
  await call.post(`${bot}/testConversations/run`, {});
  await call.post(`${bot}/preview/startChat`, {});
  const results = `/api/v1/bots/${withResults}/results`;
  for (const format of exportFormats) await call.get(`${results}/export?format=${format}`);
  await call.get(`${results}?timeFilter=allTime&limit=100`);
  const scripts = await bench.publish(askWithBlocks(script));
  await call.post(`/api/v1/bots/${scripts.publicId}/startChat`, {});
  await uploadFile(bench, call);
  await readAnswers(bench, modelServer);
}

async function uploadFile(bench: Bench, call: Calls): Promise<void> {
  const flow = askQuestions({ questions: 1 });
  const [first, ...others] = flow.groups;
  const input = { id: "in0", type: "file input", outgoingEdgeId: "ed1", options: {} };
  const { publicId } = await bench.publish({ ...flow, groups: [{ ...first, blocks: [input] }, ...others] });
  const { sessionId } = await call.post(`/api/v1/bots/${publicId}/startChat`, {});
  const file = { fileName: "letter.pdf", fileType: "application/pdf" };
  const { presignedUrl } = await call.post("/api/v3/generate-upload-url", { sessionId, blockId: "in0", ...file });
  const response = await fetch(new URL(new URL(String(presignedUrl)).pathname, bench.service.url), {
    method: "PUT",
    headers: { "Content-Type": file.fileType, "Cache-Control": "public, max-age=86400" },
    body: new Uint8Array(5_000_000),
  });
  if (!response.ok) throw new Error(`An upload: ${response.status} ${await response.text()}`);
}

type Calls = ReturnType<typeof callsOf>;

function callsOf({ service }: Bench) {
  const call = async (method: string, path: string, body?: object): Promise<Response> => {
    const response = await fetch(new URL(path, service.url), {
      method,
      headers: { Authorization: `Bearer ${benchToken}`, "Content-Type": "application/json" },
      ...(body && { body: JSON.stringify(body) }),
    });
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
    return response;
  };
  return {
    get: async (path: string) => void (await (await call("GET", path)).arrayBuffer()),
    put: async (path: string, body: object) => void (await (await call("PUT", path, body)).text()),
    post: async (path: string, body: object): Promise<Record<string, unknown>> =>
      Object(await (await call("POST", path, body)).json()),
  };
}
