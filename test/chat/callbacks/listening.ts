import { type DueSteps, startDueSteps } from "../../../src/chat/due/due-steps.ts";
import { createTestApi, type TestApi, type TestUser } from "../../support/api.ts";
import { idOf } from "../../support/builder-ids.ts";
import { asks, flowOf, publish, say, says, start } from "../../support/chat.ts";
import { outsideFetch } from "../../support/outside.ts";
import { createThreads } from "../../support/threads.ts";
import { waitFor } from "../../support/wait.ts";

type FlowOptions = {
  readonly blockId?: string;
  readonly before?: readonly object[];
  /** Whether the step after the call exceeds its limit. */
  readonly isEndless?: boolean;
};

/**
 * Returns the flow of a bot that shows its callback address, asks for a number, waits for a call, and asks for an
 * e-mail address. The bot remembers its visitors.
 */
export function listeningFlow({ blockId = "listen", before = [], isEndless = false }: FlowOptions = {}) {
  const address = { variableId: idOf("Email"), type: "Callback address", blockId };
  const mapping = { id: "m", variableId: idOf("Name"), bodyPath: "data.order ?? data" };
  const blocks = [
    { id: "address", type: "Set variable", options: address },
    says("Call {{Email}}"),
    ...before,
    asks("number input"),
    { id: blockId, type: "webhook", options: { responseVariableMapping: [mapping] } },
    ...(isEndless ? [endless] : []),
    says("Order {{Name}}. Your e-mail?"),
    asks("email input"),
    says("Thank you"),
  ];
  const general = { isGoBackEnabled: true, rememberUser: { isEnabled: true, storage: "local" } };
  return { ...flowOf(blocks, [{ ...endless, id: "more" }]), settings: { general } };
}

const endless = { id: "endless", type: "Jump", options: { groupId: idOf("g1") } };

export type ListeningChat = {
  readonly sessionId: string;
  readonly resultId: string;
  readonly url: string;
  readonly path: string;
  readonly token: string;
};

/** Creates a service with the listening bot. The service runs due steps. */
export async function createListeningPlace() {
  const threads = createThreads({ count: 1 });
  const api: TestApi = await createTestApi({
    threads,
    config: { CHAT_URL: "https://chat.example/" },
    safeFetch: outsideFetch(),
  });
  const owner: TestUser = await api.makeUser();
  const workspaceId = await api.makeWorkspace(owner);
  const due: DueSteps = startDueSteps(api.deps);
  const makeBot = (options?: FlowOptions) =>
    publish(api.client, { token: owner.token, workspaceId }, listeningFlow(options));
  const bot = await makeBot();

  const begin = async (options: { resultId?: string; publicId?: string } = {}): Promise<ListeningChat> => {
    const { resultId, publicId = bot.publicId } = options;
    const started = await start(api.client, publicId, resultId === undefined ? {} : { resultId });
    const url = started.text("messages.0.content.plainText").replace("Call ", "");
    const path = new URL(url).pathname;
    const ids = { sessionId: started.text("sessionId"), resultId: started.text("resultId") };
    return { ...ids, url, path, token: path.slice(path.lastIndexOf("/") + 1) };
  };
  const call = async ({ path }: { path: string }, body: object = {}, key?: string) => {
    const headers = key === undefined ? {} : { "webhook-id": key };
    const answer = await api.client.post(path, { body, headers });
    return answer.status === 200 ? answer.at("isWaiting") : answer.at("code");
  };
  const saidIn = async ({ sessionId }: { sessionId: string }): Promise<unknown[]> => {
    const session = await api.client.get(`/api/v1/sessions/${sessionId}`);
    const [, ...steps] = session.list("session.steps");
    return steps.map((_, index) => session.at(`session.steps.${index + 1}.messages.0.content.plainText`));
  };
  const logsOf = async ({ resultId }: ListeningChat, { botId } = bot) => {
    const { token } = owner;
    const logs = await api.client.get(`/api/v1/bots/${botId}/results/${resultId}/logs`, { token });
    return logs.list("logs").map((log) => Object(log).description);
  };
  return {
    ...{ api, owner, workspaceId, due, bot, makeBot, begin, call, saidIn, logsOf },
    async reply({ sessionId }: ListeningChat, message: string): Promise<void> {
      const { status, body } = await say(api.client, sessionId, message);
      if (status !== 200) throw new Error(`The reply was refused: ${JSON.stringify(body)}`);
    },
    async waitForNoEarlyCall({ resultId }: ListeningChat): Promise<void> {
      const { sql } = api.deps;
      await waitFor(async () => {
        due.wake();
        const rows = await sql`
          select
          from due_steps
          where kind = 'call' and session_id in (select id from sessions where result_id = ${resultId})`;
        return rows.length === 0;
      });
    },
    async close(): Promise<void> {
      await due.stop();
      await threads.close();
      await api.close();
    },
  };
}

export type ListeningPlace = Awaited<ReturnType<typeof createListeningPlace>>;
