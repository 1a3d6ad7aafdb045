import { afterAll, beforeAll, expect } from "bun:test";
import { browserTests } from "../support/browser.ts";
import { idOf } from "../support/builder-ids.ts";
import { flowOf, says } from "../support/chat.ts";
import { type ChatHost, openChatHost } from "../support/chat-host.ts";
import { type OtherSite, openOtherSite } from "../support/host-page.ts";

let host: ChatHost;
let site: OtherSite;
/** The author's own server, without https. */
let called: Bun.Server<undefined>;
const inBrowser = browserTests();

beforeAll(async () => {
  host = await openChatHost();
  site = openOtherSite();
  called = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    fetch({ url }) {
      const headers = { "Access-Control-Allow-Origin": "*", "Access-Control-Allow-Headers": "*" };
      const { pathname } = new URL(url);
      const text = { "/large": "x".repeat(2_000_000), "/names": "Ada" }[pathname] ?? "";
      return pathname === "/page" ? new Response("<p>", { headers }) : Response.json({ name: text }, { headers });
    },
  });
});
afterAll(async () => {
  await called.stop(true);
  await site.close();
  await host.close();
});

function publishCalling(url: string) {
  return host.publish(
    flowOf([
      {
        id: "send",
        type: "Webhook",
        options: {
          isExecutedOnClient: true,
          webhook: { method: "GET", url },
          responseVariableMapping: [
            { id: "m", variableId: idOf("Name"), bodyPath: "data.name" },
            { id: "n", variableId: idOf("Email"), bodyPath: "statusCode" },
          ],
        },
      },
      says("Hello {{Name}} {{Email}}"),
    ]),
  );
}

async function logsOf(botId: string) {
  const { token } = host.owner;
  const results = await host.api.client.get(`/api/v1/bots/${botId}/results`, { token });
  const id = String(results.at("results.0.id"));
  const logs = await host.api.client.get(`/api/v1/bots/${botId}/results/${id}/logs`, { token });
  return logs.at("logs.*.details");
}

inBrowser("a page on http can call an http server that its flow names", async ({ page }) => {
  const bot = await publishCalling(`${called.url.origin}/names?of={{Name}}`);
  const answer = await page.goto(bot.address);
  await page.getByText("Hello Ada 200").waitFor();

  expect(answer?.headers()["content-security-policy"]).toContain(
    `connect-src 'self' https: wss: ${called.url.origin};`,
  );
  expect(await logsOf(bot.botId)).toEqual([]);
});

inBrowser("a request to an http server with a variable host is blocked", async ({ page }) => {
  const bot = await publishCalling(`http://{{Name}}${called.url.host}/names`);
  await page.goto(bot.address);
  await page.getByText("Hello 500").waitFor();

  expect(await logsOf(bot.botId)).toEqual(["blocked_by_page"]);
});

inBrowser("a chat continues if the surrounding page blocks its request", async ({ page }) => {
  const bot = await publishCalling(`${called.url.origin}/names`);
  const head = `<script src="${host.origin}/embed.js" defer></script>`;
  const policy = `connect-src ${host.origin}`;
  await page.goto(site.page(`<parley-chat bot="${bot.publicId}"></parley-chat>`, { head, policy }));
  await page.getByText("Hello 500").waitFor();

  expect(await logsOf(bot.botId)).toEqual(["blocked_by_page"]);
});

inBrowser("responses that a chat cannot accept are logged with the reason", async ({ page }) => {
  for (const [path, reason] of [
    ["/large", "too_large"],
    ["/page", "not_json"],
  ] as const) {
    const bot = await publishCalling(called.url.origin + path);
    await page.goto(bot.address);
    await page.getByText("Hello 500").waitFor();

    expect(await logsOf(bot.botId)).toEqual([reason]);
  }
});
