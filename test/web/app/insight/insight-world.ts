import type { Page } from "playwright-core";
import { insight } from "../../../../src/management/insight/insight.job.ts";
import type { AppHost } from "../../../support/app-host.ts";
import { idOf } from "../../../support/builder-ids.ts";
import { asks, flowOf, publish, say, says, start } from "../../../support/chat.ts";

/** Returns a flow with buttons, a loop, a rating, and a question at which many visitors leave. */
export function surveyFlow(items = 2) {
  const others = Array.from({ length: items - 2 }, (_, index) => ({ id: `i${index}`, content: `Option ${index}` }));
  const plans = [
    { id: "free", content: "Free", outgoingEdgeId: idOf("e1") },
    { id: "pro", content: "Pro", outgoingEdgeId: idOf("e2") },
    ...others,
  ];
  const flow = flowOf(
    [says("Hello"), asks("choice input", {}, { id: "plan", items: plans })],
    [asks("text input", {}, { id: "why", outgoingEdgeId: idOf("again") })],
    [
      asks("email input", { variableId: idOf("Email") }, { id: "mail" }),
      asks("rating input", {}, { id: "stars" }),
      says("Bye"),
    ],
  );
  const again = { id: idOf("again"), from: { blockId: "why" }, to: { groupId: idOf("g0") } };
  return { ...flow, edges: [...flow.edges, again] };
}

/**
 * Replies of visitors, and the number of visitors for each. Twelve of the 20 visitors who reached the question for an
 * e-mail address left there.
 */
export const told: readonly (readonly [count: number, said: readonly string[]])[] = [
  [5, []],
  [3, ["Free"]],
  [2, ["Free", "so", "Pro", "a@example.com", "4"]],
  [12, ["Pro"]],
  [6, ["Pro", "b@example.com", "9"]],
];

type Survey = { readonly botId: string; readonly publicId: string };

/** Publishes a bot, and counts its chats, whose starts are distributed over the given days. */
export async function openSurvey(host: AppHost, days: readonly string[], flow: object = surveyFlow()): Promise<Survey> {
  const { api, owner, workspaceId } = host;
  const bot = await publish(api.client, { token: owner.token, workspaceId }, { name: "Survey", ...flow });
  let index = 0;
  for (const [count, said] of told) {
    for (let turn = 0; turn < count; turn++) {
      const started = await start(api.client, bot.publicId);
      for (const reply of said) await say(api.client, started.text("sessionId"), reply);
      const day = days[index % days.length] ?? "";
      await api.deps.sql`update results set created_at = ${day} where id = ${started.text("resultId")}`;
      index++;
    }
  }
  await countAll(host);
  return bot;
}

export async function countAll({ api }: AppHost): Promise<void> {
  const { sql } = api.deps;
  await sql`update insight_results set next_at = clock() where next_at is not null`;
  const job = insight(sql);
  while ((await job.removeSome()) > 0);
}

/** Takes a picture if PARLEY_PICTURES sets a folder. */
export async function shoot(page: Page, name: string, { isWhole = true } = {}): Promise<void> {
  const folder = process.env["PARLEY_PICTURES"];
  if (folder !== undefined) await page.screenshot({ path: `${folder}/${name}.png`, fullPage: isWhole });
}
