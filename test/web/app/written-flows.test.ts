import { afterAll, expect } from "bun:test";
import type { Page } from "playwright-core";
import { templates } from "../../../src/core/templates/index.ts";
import { authorAt } from "../../support/author.ts";
import { sizeOf } from "../../support/campaigns.ts";
import { say, start } from "../../support/chat.ts";
import { valueAt } from "../../support/client.ts";
import { flowTests } from "../../support/flow-page.ts";
import { templateVisits } from "../../support/template-visits.ts";
import { createThreads } from "../../support/threads.ts";
import { type Visitor, type WrittenFlow, writtenFlows } from "../../support/written-flows.ts";

const threads = createThreads({ count: 1 });
const tests = flowTests({ threads });
afterAll(() => threads.close());

/**
 * The number of flows that are built on one page. A separate page for each flow takes a seventh more processor time (67
 * s instead of 59 s for all).
 */
const flowsOnPage = 4;

/** Each flow contains arithmetic, text and lists. Building all twenty flows takes a minute more of processor time. */
const count = sizeOf({ short: 1, long: writtenFlows.length });

for (let from = 0; from < count; from += flowsOnPage) {
  const flows = writtenFlows.slice(from, Math.min(from + flowsOnPage, count));
  const titles = flows.map(({ title }) => title).join(", ");
  tests.inBrowser(
    `flows written in the builder compute the expected values: ${titles}`,
    async ({ context, problems }) => {
      const first = await tests.open(context);
      const { page } = first;
      for (const flow of flows) {
        const botId = flow === flows[0] ? first.botId : await tests.openNext(page);
        await write(page, flow);
        expect(await storedExpressions(botId)).toEqual(flow.sets.map(([, expression]) => expression));
        for (const visitor of flow.visitors)
          expect(await visit(botId, visitor.says)).toEqual(expectedOf(flow, visitor));
      }
      expect(problems).toEqual([]);
    },
  );
}

tests.inLongRun(
  "a bot of each template is created in the builder, and computes the expected values",
  async ({ context, problems }) => {
    const { page } = await tests.open(context);
    const bots = new Map<string, string>();
    for (const { name } of templates) {
      await page.goto(`${tests.host.origin}/app/w/${tests.workspaceId}`);
      await page.getByRole("button", { name: "New bot" }).click();
      await page.getByRole("button", { name: `Use this template: ${name}` }).click();
      await page.waitForURL("**/app/bots/*");
      await authorAt(page).publish();
      bots.set(name, new URL(page.url()).pathname.split("/").at(-1) ?? "");
    }

    expect(new Set(templateVisits.map(({ template }) => template))).toEqual(new Set(bots.keys()));
    const seen: object[] = [];
    for (const { template, says } of templateVisits) {
      const { said: told, logs, variables: keeps } = await visit(bots.get(template) ?? "", says);
      expect(logs).toEqual([]);
      seen.push({ template, says, told, keeps });
    }
    expect(seen).toEqual([...templateVisits]);
    expect(problems).toEqual([]);
  },
);

async function write(page: Page, flow: WrittenFlow): Promise<void> {
  const author = authorAt(page);
  await author.begin();
  for (const [input, variable] of flow.asks) await author.ask(input, variable);
  for (const [variable, expression] of flow.sets) await author.set(variable, expression);
  await author.say(told(flow));
  await author.when(flow.when);
  await author.lead("It holds");
  await author.say("Yes");
  await author.go("Condition");
  await author.say("No");
  await author.publish();
}

/** Returns the expected messages at the end, and the expected variables of the result. */
function expectedOf(flow: WrittenFlow, { says, holds, gets }: Visitor) {
  const replies = Object.fromEntries(flow.asks.map(([, variable], index) => [variable, says[index] ?? ""]));
  const text = told(flow, (variable) => shown(gets[variable] ?? ""));
  return { said: [text, holds ? "Yes" : "No"], logs: [], variables: { ...replies, ...gets } };
}

/** Returns the flow's message about its results. `value` determines the text for each variable. */
function told({ sets }: WrittenFlow, value = (variable: string) => `{{${variable}}}`): string {
  return sets.map(([variable]) => value(variable)).join(" | ");
}

/** Returns a value as a text shows it. */
function shown(value: string | readonly string[]): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}

async function storedExpressions(botId: string): Promise<unknown[]> {
  const { groups } = await tests.draft(botId);
  const blocks = groups.flatMap((group) => group.blocks).filter((block) => block["type"] === "Set variable");
  return blocks.map((block) => Object(block["options"]).expressionToEvaluate);
}

/** Runs a chat with the replies. Returns the messages after the last reply, and the variables of the stored result. */
async function visit(botId: string, replies: readonly string[]) {
  const { client } = tests.host.api;
  const { token } = tests.ada;
  const bot = await client.get(`/api/v1/bots/${botId}`, { token });
  const begun = await start(client, bot.text("bot.publicId"));
  let answer = begun;
  for (const message of replies) answer = await say(client, begun.text("sessionId"), message);
  const result = await client.get(`/api/v1/bots/${botId}/results/${begun.text("resultId")}`, { token });
  const variables = result
    .list("result.variables")
    .map((variable) => [valueAt(variable, "name"), valueAt(variable, "value")]);
  return {
    said: answer.list("messages.*.content.plainText"),
    logs: answer.at("logs"),
    variables: Object.fromEntries(variables),
  };
}
