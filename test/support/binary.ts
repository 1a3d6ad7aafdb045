import { chmodSync } from "node:fs";
import { join } from "node:path";
import { type Static, Type } from "@sinclair/typebox";
import { Value } from "@sinclair/typebox/value";
import { idOf } from "./builder-ids.ts";
import { temporaryFolder } from "./folder.ts";

const root = join(import.meta.dir, "../..");

/** Builds the single binary into a temporary folder that every user may enter. `report` is the output of the build. */
export async function buildBinary({
  environment = {},
  cwd = root,
} = {}): Promise<{ readonly path: string; readonly report: string; remove(): void }> {
  const folder = temporaryFolder();
  chmodSync(folder.path, 0o755);
  const path = join(folder.path, "parley");
  const build = Bun.spawn([process.execPath, join(root, "src/build/binary.ts"), path], {
    cwd,
    env: { ...process.env, ...environment },
    stdout: "pipe",
    stderr: "pipe",
  });
  const [exitCode, report, problems] = await Promise.all([build.exited, build.stdout.text(), build.stderr.text()]);
  if (exitCode !== 0) throw new Error(problems);
  return { path, report, remove: folder.remove };
}

/**
 * A flow that asks for a name and runs a script, because the script engine is a separate file that the binary must
 * contain.
 */
const greeter = {
  version: "6.1",
  name: "Greeter",
  events: [{ id: "start", type: "start", outgoingEdgeId: "edge", graphCoordinates: { x: 0, y: 0 } }],
  edges: [{ id: "edge", from: { eventId: "start" }, to: { groupId: "group" } }],
  variables: [
    { id: idOf("name"), name: "Name" },
    { id: idOf("loud"), name: "Loud" },
  ],
  groups: [
    {
      id: "group",
      title: "Greeting",
      graphCoordinates: { x: 0, y: 0 },
      blocks: [
        { id: "ask", type: "text input", options: { variableId: idOf("name") } },
        {
          id: "shout",
          type: "Set variable",
          options: {
            variableId: idOf("loud"),
            expressionToEvaluate: "[...{{Name}}].map((letter) => letter.toUpperCase()).join('-')",
          },
        },
        { id: "greet", type: "text", content: { richText: [{ type: "p", children: [{ text: "Hello {{Loud}}" }] }] } },
      ],
    },
  ],
};

const Answer = Type.Object({
  workspace: Type.Optional(Type.Object({ id: Type.String() })),
  bot: Type.Optional(Type.Object({ id: Type.String() })),
  publicId: Type.Optional(Type.String()),
  sessionId: Type.Optional(Type.String()),
  messages: Type.Optional(Type.Array(Type.Object({ content: Type.Object({ plainText: Type.String() }) }))),
});

/**
 * Returns the actions of an author and a visitor through the HTTP API. `service` is called for each request, because
 * the address may change.
 */
export function greeterTalk(service: () => { readonly url: string }, token: string) {
  const send = async (path: string, body: object): Promise<Static<typeof Answer>> => {
    const response = await fetch(`${service().url}/api/v1/${path}`, {
      method: "POST",
      headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
      body: JSON.stringify(body),
    });
    const answer: unknown = await response.json();
    if (!response.ok) throw new Error(`${path}: ${JSON.stringify(answer)}`);
    return Value.Decode(Answer, answer);
  };
  return {
    /** Creates a workspace and the bot, publishes the bot, and returns its public id. */
    async publish(): Promise<string> {
      const { workspace } = await send("workspaces", { name: "Greetings" });
      const { bot } = await send("bots", { workspaceId: workspace?.id, bot: greeter });
      return (await send(`bots/${bot?.id}/publish`, {})).publicId ?? "";
    },
    /** Starts a chat and returns the id of its session. */
    async start(publicId: string): Promise<string> {
      return (await send(`bots/${publicId}/startChat`, {})).sessionId ?? "";
    },
    /** Sends the name and returns the texts of the response. */
    async answer(sessionId: string, name: string): Promise<string[]> {
      const { messages = [] } = await send(`sessions/${sessionId}/continueChat`, { message: name });
      return messages.map(({ content }) => content.plainText);
    },
  };
}
