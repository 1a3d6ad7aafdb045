import { type DueSteps, startDueSteps } from "../../../src/chat/due/due-steps.ts";
import { createTestApi, type TestApi, type TestApiOptions, type TestUser } from "../../support/api.ts";
import { publish } from "../../support/chat.ts";
import { moveClock } from "../../support/moved-clock.ts";
import { createThreads } from "../../support/threads.ts";
import { waitFor } from "../../support/wait.ts";

/** A service whose chats continue by themselves, by a clock that the test advances. */
export type DueWorld = {
  readonly api: TestApi;
  readonly owner: TestUser;
  readonly due: DueSteps;
  /** Publishes a flow as a bot in a new workspace. */
  make(flow: object): Promise<{ botId: string; publicId: string }>;
  /** Sets the clock to `seconds` after the real time, and waits until all steps that are due by then have run. */
  pass(seconds: number): Promise<void>;
  /** Returns the kinds of the due steps that are still stored. */
  rows(): Promise<string[]>;
  read(sessionId: string): ReturnType<TestApi["client"]["get"]>;
  /** Returns the log of a session's result. */
  logs(resultId: string): Promise<string[]>;
  close(): Promise<void>;
};

export async function createDueWorld(options: Pick<TestApiOptions, "safeFetch"> = {}): Promise<DueWorld> {
  const threads = createThreads({ count: 1 });
  const api = await createTestApi({ ...options, threads });
  const owner = await api.makeUser();
  const due = startDueSteps(api.deps);
  const { sql } = api.deps;
  return {
    api,
    owner,
    due,
    make: async (flow) =>
      publish(api.client, { token: owner.token, workspaceId: await api.makeWorkspace(owner) }, flow),
    async pass(seconds) {
      await moveClock(sql, seconds);
      await waitFor(async () => {
        due.wake();
        return (await sql`select from due_steps where held_until <= clock() or held_by is not null`).length === 0;
      });
    },
    rows: async () => (await sql<{ kind: string }[]>`select kind from due_steps`).map(({ kind }) => kind),
    read: (sessionId) => api.client.get(`/api/v1/sessions/${sessionId}`),
    logs: async (resultId) => {
      const rows = await sql<{ description: string }[]>`
        select description from logs where result_id = ${resultId} order by position`;
      return rows.map(({ description }) => description);
    },
    async close() {
      await due.stop();
      await threads.close();
      await api.close();
    },
  };
}
