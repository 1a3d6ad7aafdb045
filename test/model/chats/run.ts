import type { Answer, RequestOptions } from "../../support/client.ts";
import { plantedKey } from "../../support/model-chats.ts";
import type { SeenPage, visitor } from "../../support/web-page.ts";
import { flowOfScript } from "./compile.ts";
import type { ChatModel, Moment } from "./model.ts";
import { type Outside, scriptOf, type Variables } from "./walk.ts";
import { fetchedFor, type World } from "./world.ts";

/**
 * A published bot of a flow. Its versions differ in their texts. An edition is the number of the version that first had
 * the texts.
 */
export type Bot = {
  readonly flow: string;
  readonly botId: string;
  readonly publicId: string;
  /** The edition of each publication, by the publication's number. */
  readonly editions: Map<number, number>;
  live: number;
  canary: number | undefined;
  movesTo: number | undefined;
};

/** A result, with the variables and answers of its chats. */
export type ResultModel = {
  readonly bot: Bot;
  readonly resultId: string;
  variables: Variables;
  /** The chats of the result, in order. Each chat stores its own answers. */
  readonly chats: Chat[];
  isErased: boolean;
};

/** A chat of a run: its model, and the visitor's access to the chat. */
export type Chat = {
  readonly model: ChatModel;
  readonly bot: Bot;
  readonly result: ResultModel;
  readonly sessionId: string;
  /** The number of the publication that the chat uses. */
  publication: number;
  /** The publication to which the chat moves at its next input. */
  movingTo: number | undefined;
  /** The callback address, once the chat has shown it. */
  address: string | undefined;
  /** The last answered request, which the visitor may repeat. */
  last: { readonly send: () => Promise<Answer>; readonly answer: Answer } | undefined;
  page: Page | undefined;
  readonly ratings: Map<number, { readonly blockId: string; readonly isGood: boolean }>;
  /** Answered calls from outside, by their keys. */
  readonly calls: Map<string, { readonly order: string; readonly answer: Answer }>;
};

/** A page without scripts that shows a revision of its chat, and the page before it. */
export type Page = {
  readonly browser: ReturnType<typeof visitor>;
  readonly now: SeenPage;
  readonly former: SeenPage | undefined;
  readonly revision: number;
};

/** One run of acts, in a separate workspace. */
export type Run = {
  readonly world: World;
  readonly token: string;
  readonly workspaceId: string;
  readonly stripeId: string;
  readonly modelId: string;
  readonly endpointId: string;
  readonly bots: Map<string, Bot>;
  readonly chats: Chat[];
  readonly results: ResultModel[];
  /** How many of the provider's responses fail, starting with request number `awayFrom`. */
  away: number;
  awayFrom: number;
  /** A counter that makes keys and words unique. */
  count: number;
};

const account = (webhookSecret: string) => ({
  ...{ liveSecretKey: "sk_live_planted", livePublicKey: "pk_live_1", liveWebhookSecret: webhookSecret },
  ...{ testSecretKey: "sk_test_planted", testPublicKey: "pk_test_1" },
});

export async function newRun(world: World): Promise<Run> {
  // Resets the state of the previous run.
  world.stripe.recover();
  world.slowDown(0);
  const { token } = world.owner;
  const workspaceId = await world.api.makeWorkspace(world.owner);
  const makeCredentials = async (type: string, data: object): Promise<string> => {
    const path = `/api/v1/workspaces/${workspaceId}/credentials`;
    return (await world.client().post(path, { token, body: { type, name: "Ours", data } })).text("credentials.id");
  };
  const endpoint = await world.client().post(`/api/v1/workspaces/${workspaceId}/event-endpoints`, {
    token,
    body: {
      url: "https://receiver.example/",
      eventTypes: ["result.started", "result.answered", "result.completed", "payment.succeeded", "answer.rated"],
    },
  });
  return {
    ...{ world, token, workspaceId, bots: new Map(), chats: [], results: [], away: 0, awayFrom: 0, count: 0 },
    stripeId: await makeCredentials("stripe", account(world.webhookSecret)),
    modelId: await makeCredentials("openai", { apiKey: plantedKey, baseUrl: world.model.baseUrl }),
    endpointId: endpoint.text("eventEndpoint.id"),
  };
}

export function ask(
  run: Run,
  method: "get" | "post" | "patch" | "delete",
  path: string,
  options: RequestOptions = {},
): Promise<Answer> {
  return run.world.client()[method](`/api/v1${path}`, options);
}

/** Sends a request of a user who manages the bots. */
export function manage(
  run: Run,
  method: "get" | "post" | "patch" | "delete",
  path: string,
  body?: object,
): Promise<Answer> {
  return ask(run, method, path, { token: run.token, ...(body && { body }) });
}

/** Returns the bot of a flow, creating it for the first chat that needs it. */
export async function botOf(run: Run, flow: string): Promise<Bot> {
  const known = run.bots.get(flow);
  if (known) return known;
  const links = Object.values(scriptOf(flow).scenes).flatMap(({ parts }) =>
    parts.flatMap((part) => ("link" in part ? [part.link] : [])),
  );
  for (const linked of links) await botOf(run, linked);
  const made = await manage(run, "post", "/bots", {
    workspaceId: run.workspaceId,
    bot: { name: flow, ...flowFor(run, flow, 1) },
  });
  const botId = made.text("bot.id");
  const published = await manage(run, "post", `/bots/${botId}/publish`, { force: true });
  const bot: Bot = {
    ...{ flow, botId, publicId: published.text("publicId"), editions: new Map([[1, 1]]), live: 1 },
    ...{ canary: undefined, movesTo: undefined },
  };
  run.bots.set(flow, bot);
  return bot;
}

export function flowFor(run: Run, flow: string, edition: number): object {
  return flowOfScript(scriptOf(flow), edition, {
    ...{ stripeId: run.stripeId, modelId: run.modelId, fetchUrl: run.world.outside.url("/prices") },
    botIdOf: (linked) => run.bots.get(linked)?.botId ?? "",
  });
}

/** Returns the current responses of the fake servers for a step of the model. */
export function outsideOf(run: Run, { isPaymentRefused = false } = {}): Outside {
  return {
    editionOf(flow) {
      const bot = run.bots.get(flow);
      return bot?.editions.get(bot.live) ?? 1;
    },
    fetched: fetchedFor,
    said: (note) => `You said: ${note}`,
    isPaymentRefused,
  };
}

/** The maximum difference between clocks of one machine, including times that are truncated to milliseconds. */
export const imprecisionMs = 3;

/** Returns the time range of an act: from its start, or from the end of its last call, to now. */
export function momentFrom(run: Run, begunAt: number): () => Moment {
  return () => {
    const called = run.world.calledAt();
    return { earliest: Math.max(begunAt, called) - imprecisionMs, latest: run.world.now() + imprecisionMs };
  };
}

export function newWord(run: Run, word: string): string {
  return `${word}${++run.count}`;
}
