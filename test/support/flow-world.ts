import { expect } from "bun:test";
import { startDueSteps } from "../../src/chat/due/due-steps.ts";
import { serviceAccount } from "../fake-providers/google/accounts.ts";
import { startFakeGoogle } from "../fake-providers/google/server.ts";
import { providerUrls } from "../fake-providers/kit.ts";
import { type FakeStripe, startFakeStripe } from "../fake-providers/stripe.ts";
import { createTestApi } from "./api.ts";
import { idOf } from "./builder-ids.ts";
import { publish, says, start } from "./chat.ts";
import { testKey } from "./events.ts";
import { moveClock } from "./moved-clock.ts";
import { createThreads } from "./threads.ts";
import { waitFor } from "./wait.ts";

export type FlowWorld = {
  readonly stripe: FakeStripe;
  /** A chat with a flow, as its visitor has it; the flow's spreadsheet has these rows. */
  open(groups: Groups, rows: readonly (readonly string[])[]): Promise<OpenChat>;
  close(): Promise<void>;
};

export type OpenChat = {
  /** The texts before the first question. */
  readonly read: readonly string[];
  /** The texts that an act brings. */
  take(act: Act): Promise<string[]>;
  logs(): Promise<readonly { readonly status: string; readonly description: string }[]>;
  rows(): string[][];
};

/** A service with a shop and a Google account, for flows as people write them. */
export async function createFlowWorld(): Promise<FlowWorld> {
  const threads = createThreads({ count: 1 });
  const [google, stripe] = await Promise.all([startFakeGoogle(), startFakeStripe()]);
  google.sheets.allow(10_000);
  const config = {
    ENCRYPTION_KEY: testKey,
    PROVIDER_URLS: providerUrls([google, stripe]),
    RATE_LIMITS: "off",
  } as const;
  const api = await createTestApi({ threads, config });
  const due = startDueSteps(api.deps);
  const user = await api.makeUser();
  const { token } = user;
  const owner = { token, workspaceId: await api.makeWorkspace(user) };
  const make = async (type: string, data: object) => {
    const path = `/api/v1/workspaces/${owner.workspaceId}/credentials`;
    return (await api.client.post(path, { token, body: { type, name: type, data } })).text("credentials.id");
  };
  const accounts = {
    "the account": await make("google sheets", serviceAccount),
    "the shop": await make("stripe", { livePublicKey: "pk_live_1", liveSecretKey: "sk_live_1" }),
  };
  let passed = 0;
  return {
    stripe,
    async open(groups, rows) {
      const spreadsheetId = google.sheets.make({ rows, sharedWith: [serviceAccount.clientEmail] });
      const bot = await publish(api.client, owner, flowOf(groups, { ...accounts, "the sheet": spreadsheetId }));
      const started = await start(api.client, bot.publicId);
      const sessionId = started.text("sessionId");
      let last: unknown = started.body;
      const inAddress = /callbacks\/(\S+)/;
      let address = "";
      const hear = (step: unknown): string[] => {
        last = step;
        const said = texts([step]);
        address = said.map((text) => inAddress.exec(text)?.[1]).findLast((found) => found !== undefined) ?? address;
        return said.filter((text) => !inAddress.test(text));
      };
      const path = `/api/v1/sessions/${sessionId}`;
      const newest = async () => (await api.client.get(path)).list("session.steps").at(-1);
      const reply = async (message: string) => {
        const afterRevision = Number((await api.client.get(path)).at("session.revision"));
        return hear((await api.client.post(`${path}/continueChat`, { body: { message, afterRevision } })).body);
      };
      const take = async (act: Act): Promise<string[]> => {
        if ("says" in act) return reply(act.says);
        if ("pays" in act) {
          stripe.confirm(String(Object(last).input.runtimeOptions.paymentIntentSecret));
          return reply(act.pays);
        }
        if ("calls" in act) {
          const called = await api.client.post(`/api/v1/callbacks/${address}`, { body: act.calls });
          expect(called.status).toBe(act.gets ?? 200);
          return called.status === 200 && !act.isEarly ? hear(await newest()) : [];
        }
        passed += act.minutes * 60;
        await moveClock(api.deps.sql, passed);
        await waitFor(async () => {
          due.wake();
          return (
            (await api.deps.sql`select from due_steps where held_until <= clock() or held_by is not null`).length === 0
          );
        });
        return hear(await newest());
      };
      const logs = async () => {
        const path = `/api/v1/bots/${bot.botId}/results/${started.text("resultId")}/logs`;
        const answer = await api.client.get(path, { token });
        return answer
          .list("logs")
          .map((entry) => ({ status: String(Object(entry).status), description: String(Object(entry).description) }));
      };
      return { read: hear(started.body), take, logs, rows: () => google.sheets.rowsOf(spreadsheetId) };
    },
    async close() {
      await due.stop();
      await threads.close();
      await api.close();
      await Promise.all([google.close(), stripe.close()]);
    },
  };
}

type Block = { readonly id: string; readonly type: string; readonly [key: string]: unknown };
/** The blocks of each group, by its title; the first one is the start's. */
export type Groups = Readonly<Record<string, readonly Block[]>>;

let blocksMade = 0;
export const block = (type: string, options: object = {}, more: object = {}): Block => ({
  ...{ id: idOf(`block ${++blocksMade}`), type, options },
  ...more,
});
const variable = (name: string): string => idOf(`variable ${name}`);
/** An edge to the group of this title. */
export const to = (title: string) => ({ outgoingEdgeId: `to ${title}` });
export const tells = (text: string): Block => says(text, idOf(`block ${++blocksMade}`));
export const asks = (name: string, options: object = {}, type = "text input"): Block =>
  block(type, { variableId: variable(name), ...options });
export const jump = (title: string): Block => block("Jump", { groupId: idOf(`group ${title}`) });
export const offers = (name: string, ...words: readonly string[]): Block =>
  block(
    "choice input",
    { variableId: variable(name) },
    { items: words.map((content) => ({ id: idOf(content), content })) },
  );
export const when = (name: string, comparisonOperator: string, value: string, title: string): Block =>
  block(
    "Condition",
    {},
    {
      items: [
        {
          ...{ id: idOf(`item ${blocksMade}`), ...to(title) },
          content: {
            comparisons: [{ id: idOf(`is ${blocksMade}`), variableId: variable(name), comparisonOperator, value }],
          },
        },
      ],
    },
  );

type Cells = Readonly<Record<string, string>>;
type Comparison = readonly [column: string, operator: string, value: string];
const sheet = (action: string, options: object) =>
  block("Google Sheets", {
    credentialsId: "the account",
    spreadsheetId: "the sheet",
    sheetId: "0",
    action,
    ...options,
  });
const cellsOf = (cells: Cells) => Object.entries(cells).map(([column, value]) => ({ id: column, column, value }));
export const filterOf = (logicalOperator: "AND" | "OR", comparisons: readonly Comparison[]) => ({
  logicalOperator,
  comparisons: comparisons.map(([column, comparisonOperator, value], index) => ({
    ...{ id: `c${index}`, column, comparisonOperator, value },
  })),
});
export const adds = (cells: Cells, options: object = {}) =>
  sheet("Insert a row", { cellsToInsert: cellsOf(cells), ...options });
export const changes = (cells: Cells, filter: object, options: object = {}) =>
  sheet("Update a row", { cellsToUpsert: cellsOf(cells), filter, ...options });
export const finds = (cells: Cells, filter: object, options: object = {}) =>
  sheet("Get data from sheet", {
    cellsToExtract: Object.entries(cells).map(([column, name]) => ({ id: column, column, variableId: variable(name) })),
    ...{ filter, ...options },
  });
export const pays = (amount: string, currency: string, options: object = {}) =>
  block("payment input", { credentialsId: "the shop", amount, currency, variableId: variable("Paid"), ...options });
/** Hands the address of the next call out, in a text. */
export const callable = (options: object = {}): readonly Block[] => {
  const waits = block("webhook", {
    responseVariableMapping: [{ id: "m", variableId: variable("Word"), bodyPath: "data.word" }],
    ...options,
  });
  return [
    block("Set variable", { variableId: variable("Address"), type: "Callback address", blockId: waits.id }),
    tells("{{Address}}"),
    waits,
  ];
};

/** Each `outgoingEdgeId` that names a group becomes an edge to it. */
function flowOf(groups: Groups, ids: Readonly<Record<string, string>>) {
  const edges: object[] = [
    { id: "e", from: { eventId: "start" }, to: { groupId: idOf(`group ${Object.keys(groups)[0]}`) } },
  ];
  const led = (value: unknown, from: object): unknown => {
    if (Array.isArray(value)) return value.map((one) => led(one, { ...from, itemId: Object(one).id }));
    if (typeof value !== "object" || value === null) return typeof value === "string" ? (ids[value] ?? value) : value;
    return Object.fromEntries(
      Object.entries(value).map(([key, inner]) => {
        if (key !== "outgoingEdgeId") return [key, led(inner, from)];
        const id = `e${edges.length}`;
        edges.push({ id, from, to: { groupId: idOf(`group ${String(inner).slice(3)}`) } });
        return [key, id];
      }),
    );
  };
  const names = ["Name", "Phone", "Mail", "Plan", "Price", "Currency", "Paid", "Word", "Address", "Team"];
  return {
    ...{ version: "6.1", variables: names.map((name) => ({ id: variable(name), name })) },
    events: [{ id: "start", type: "start", outgoingEdgeId: "e", graphCoordinates: { x: 0, y: 0 } }],
    groups: Object.entries(groups).map(([title, blocks]) => ({
      ...{ id: idOf(`group ${title}`), title, graphCoordinates: { x: 0, y: 0 } },
      blocks: blocks.map((one) => led(one, { blockId: one.id })),
    })),
    edges,
  };
}

/** What happens next: the visitor's words, a payment with the provider's form, a call, or minutes that pass. */
export type Act =
  | { readonly says: string }
  | { readonly pays: "Success" }
  | { readonly calls: object | string; readonly gets?: number; readonly isEarly?: boolean }
  | { readonly minutes: number };

const texts = (steps: readonly unknown[]): string[] =>
  steps
    .flatMap((step) => Object(step).messages ?? [])
    .map((message: unknown) => Object(message).content?.plainText ?? "");
