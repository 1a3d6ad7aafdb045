import { Session } from "node:inspector/promises";
import { type Coverage, longestRuns } from "./step-way.ts";

/**
 * A separate process with a listening service and a chat. For each source file, it prints how many characters of the
 * longest function a warm step runs. The engine only measures code that is loaded after this point.
 */
const session = new Session();
session.connect();
await session.post("Profiler.enable");
await session.post("Profiler.startPreciseCoverage", { callCount: true, detailed: true });

const { createThreads } = await import("../../src/chat/threads/threads.ts");
const { blocks } = await import("../../src/core/blocks/index.ts");
const { createSandbox } = await import("../../src/platform/sandbox/index.ts");
const { listen } = await import("../../src/service/serving.ts");
const { createTestApi } = await import("./api.ts");
const { idOf } = await import("./builder-ids.ts");
const { asks, flowOf, publish, says, start } = await import("./chat.ts");

/** The number of measured steps. No other code is called as often in the meantime. */
const steps = 20;
/** A busy machine may run steps on a thread, whose functions are not measured. The steps are then measured again. */
const mostElsewhere = 2;
const mostMeasurements = 20;
/** The first file of the core that a step runs. */
const firstOfCore = "src/core/tasks/run-task.ts";

const threads = createThreads({ count: 1, inline: { blocks, createSandbox } });
const api = await createTestApi({ threads });
const { token, userId, email } = await api.makeUser();
const workspaceId = await api.makeWorkspace({ token, userId, email });
const number = asks("number input", { variableId: idOf("Name") });
const again = { ...says("So it is {{Name}}."), outgoingEdgeId: idOf("again") };
const flow = flowOf([number, again]);
const edge = { id: idOf("again"), from: { blockId: again.id }, to: { groupId: idOf("g0") } };
const { publicId } = await publish(api.client, { token, workspaceId }, { ...flow, edges: [...flow.edges, edge] });
const listening = listen(api.deps, { port: 0, isShared: false });
const sessionId = (await start(api.client, publicId)).text("sessionId");

async function step(message: string): Promise<void> {
  const response = await fetch(`http://127.0.0.1:${listening.port}/api/v1/sessions/${sessionId}/continueChat`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ message }),
  });
  const text = await response.text();
  if (!text.includes(`So it is ${message}.`)) throw new Error(`A step failed: ${text}`);
}

async function measure(): Promise<Readonly<Record<string, number>>> {
  // Each call returns the counts since the previous call.
  await session.post("Profiler.takePreciseCoverage");
  for (let index = 0; index < steps; index++) await step(String(index));
  const coverage: Coverage = await session.post("Profiler.takePreciseCoverage");
  return longestRuns(coverage, steps - mostElsewhere);
}

for (let warm = 0; warm < 5; warm++) await step(String(warm));
let runs = await measure();
for (let again = 1; runs[firstOfCore] === undefined && again < mostMeasurements; again++) runs = await measure();
process.stdout.write(JSON.stringify(runs));

await listening.drain();
await threads.close();
await api.close();
process.exit(0);
