import { type AskedModel, type FakeModel, startFakeModel } from "../fake-model/server.ts";
import { createTestApi, type TestApi, type TestApiOptions } from "./api.ts";
import { idOf } from "./builder-ids.ts";
import { asks, flowOf, publish, say, says, start } from "./chat.ts";
import { testKey } from "./events.ts";
import { createThreads } from "./threads.ts";

/** A key that must never appear in any output. */
export const plantedKey = "sk-planted-0123456789-4f2a";

export type ModelChats = {
  readonly api: TestApi;
  readonly model: FakeModel;
  readonly token: string;
  readonly workspaceId: string;
  /** The id of credentials of the type `openai` for the fake model. */
  readonly credentialsId: string;
  makeCredentials(type: string, data: object): Promise<string>;
  /** Returns blocks that ask for the visitor's name, send the name to a model, and show the model's answer. */
  answers(options: object, type?: string): object[];
  /** Publishes a bot with these blocks and sends it a message. */
  hold(blocks: readonly object[], said?: string, settings?: object): Promise<Held>;
  close(): Promise<void>;
};

export type Held = {
  readonly texts: unknown;
  readonly messages: unknown;
  readonly asked: readonly AskedModel[];
  /** The messages of the log, and all its entries. */
  readonly logs: unknown;
  readonly entries: unknown;
  /** All readable output of the chat. */
  readonly everything: string;
};

/** Creates a service with a workspace that has credentials for a fake model. */
export async function createModelChats(
  config: TestApiOptions["config"] = {},
  options: Omit<TestApiOptions, "config" | "threads"> = {},
): Promise<ModelChats> {
  const threads = createThreads({ count: 1 });
  const model = await startFakeModel();
  const api = await createTestApi({
    ...options,
    threads,
    config: { ENCRYPTION_KEY: testKey, MODEL_SERVERS: model.origin, ...config },
  });
  const owner = await api.makeUser();
  const workspaceId = await api.makeWorkspace(owner);
  const { token } = owner;

  const makeCredentials = async (type: string, data: object): Promise<string> => {
    const made = await api.client.post(`/api/v1/workspaces/${workspaceId}/credentials`, {
      token,
      body: { type, name: "Ours", data },
    });
    return made.text("credentials.id");
  };
  const credentialsId = await makeCredentials("openai", { apiKey: plantedKey, baseUrl: model.baseUrl });

  return {
    api,
    model,
    token,
    workspaceId,
    credentialsId,
    makeCredentials,
    answers: (options, type = "openai") => [
      asks("text input", { variableId: idOf("Name") }),
      {
        id: "model",
        type,
        options: {
          action: "Create chat completion",
          credentialsId,
          model: "echo",
          messages: [
            { id: "m1", role: "user", content: "I am {{Name}}" },
            { id: "m2", role: "system", content: "Be kind" },
          ],
          responseMapping: [{ id: "r1", variableId: idOf("Email") }],
          ...options,
        },
      },
      says("Answer: {{Email}}"),
    ],
    async hold(blocks, said = "Ana", settings = {}) {
      const bot = await publish(api.client, { token, workspaceId }, withVariables({ ...flowOf(blocks), settings }));
      const started = await start(api.client, bot.publicId);
      const asked = model.asked.length;
      const answer = await say(api.client, started.text("sessionId"), said);
      const path = `/api/v1/bots/${bot.botId}/results/${started.text("resultId")}/logs`;
      const logs = await api.client.get(path, { token });
      return {
        texts: answer.at("messages.*.content.plainText"),
        messages: answer.at("messages"),
        asked: model.asked.slice(asked),
        logs: logs.at("logs.*.description"),
        entries: logs.at("logs"),
        everything: JSON.stringify([answer.body, logs.body]),
      };
    },
    async close() {
      await threads.close();
      await api.close();
      await model.close();
    },
  };
}

/** Adds variables for the values that model blocks set. */
export function withVariables<Flow extends { readonly variables: readonly object[] }>(flow: Flow) {
  const more = ["Age", "Tags", "Size"].map((name) => ({ id: idOf(name), name }));
  return { ...flow, variables: [...flow.variables, ...more] };
}
