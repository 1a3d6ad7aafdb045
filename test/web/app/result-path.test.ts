import { afterAll, beforeAll, expect, test } from "bun:test";
import { draftOf } from "../../../src/web/app/editor/service.ts";
import { pathIn } from "../../../src/web/app/screens/versions/result-path.ts";
import resultWords from "../../../src/web/app/words/en/result.json";
import { type AppHost, openAppHost } from "../../support/app-host.ts";
import { axeProblems } from "../../support/axe.ts";
import { browserTests } from "../../support/browser.ts";
import { asks, flowOf, say, says, start } from "../../support/chat.ts";
import { surveyFlow } from "./insight/insight-world.ts";

let host: AppHost;
const inBrowser = browserTests();

beforeAll(async () => {
  host = await openAppHost();
});
afterAll(() => host.close());

test("the path of a result contains the visited blocks and edges", () => {
  const set = (id: string) => ({ id, type: "Set variable", options: {} });
  const items = ["a", "b"].map((id) => ({ id, content: id, outgoingEdgeId: id }));
  const flow = flowOf(
    [says("Hello", "hello"), set("set"), { ...asks("choice input", {}, { items }), id: "ask" }],
    [set("first"), says("Bye", "bye")],
  );
  const [, second] = flow.groups;
  const edges = ["a", "b"].map((id) => ({ id, from: { blockId: "ask", itemId: id }, to: { groupId: second?.id } }));
  const draftWith = (own: readonly object[]) =>
    draftOf({ ...flow, ...{ theme: {}, settings: {}, editor: null }, edges: own });
  const path = (own: readonly object[], shown: readonly string[]) => {
    const { blockIds, edgeIds } = pathIn(draftWith(own), shown, undefined);
    return { blocks: [...blockIds].toSorted(), edges: [...edgeIds] };
  };
  const opening = flow.edges.slice(0, 1);
  const openingIds = opening.map(({ id }) => id);
  expect(path([...opening, ...edges.slice(0, 1)], ["hello", "ask", "bye"])).toEqual({
    blocks: ["ask", "bye", "first", "hello", "set"],
    edges: [...openingIds, "a"],
  });
  // It is unknown which of the two edges was followed.
  expect(path([...opening, ...edges], ["hello", "ask", "bye"]).edges).toEqual(openingIds);
  expect(path([], ["gone", "bye"])).toEqual({ blocks: ["bye"], edges: [] });
});

inBrowser(
  "a result links to its path on the flow of its version",
  async ({ page, context, problems }) => {
    const survey = surveyFlow();
    const apart = (index: number) => ({ graphCoordinates: { x: 320 + index * 420, y: index === 1 ? 360 : 0 } });
    const flow = { ...survey, groups: survey.groups.map((group, index) => ({ ...group, ...apart(index) })) };
    const bot = await host.publish(flow);
    const { client } = host.api;
    const started = await start(client, bot.publicId);
    await say(client, started.text("sessionId"), "Pro");
    const options = { token: host.owner.token, body: { force: true } };
    expect((await client.post(`/api/v1/bots/${bot.botId}/publish`, options)).status).toBe(200);
    await host.signIn(context);
    await page.goto(`${host.builder}/bots/${bot.botId}/results/${started.text("resultId")}`);
    await page.getByRole("dialog").getByRole("link", { name: "Path through the flow" }).click();
    await page.getByRole("heading", { name: "Version 1" }).waitFor();
    await page.getByText("The path of this chat is highlighted").waitFor();
    await page.locator(".canvas-row.is-waiting").waitFor();
    expect(await page.locator(".canvas-card.is-walked").count()).toBe(2);
    expect(await page.locator(".canvas-edge.is-walked").count()).toBe(2);
    // The three rows are the greeting, the choice, and the address that the chat asks for.
    expect(await page.locator(".canvas-row.is-walked").count()).toBe(3);
    for (const width of [1440, 390]) {
      await page.setViewportSize({ width, height: 900 });
      expect(await axeProblems(page)).toEqual([]);
    }
    await page.getByRole("link", { name: "Open the chat" }).click();
    await page.getByRole("dialog").waitFor();

    // An imported chat may be empty.
    const brought = { id: "brought", createdAt: "2026-01-05T12:00:00Z", hasStarted: false, isCompleted: false };
    const body = { source: "https://elsewhere.example", results: [{ ...brought, variables: [], answers: [] }] };
    const { token } = host.owner;
    const imported = await client.post(`/api/v1/bots/${bot.botId}/results/import`, { token, body });
    expect(imported.at("added")).toBe(1);
    const query = { timeFilter: "allTime", hasStarted: "false" };
    const listed = await client.get(`/api/v1/bots/${bot.botId}/results`, { token, query });
    await page.goto(`${host.builder}/bots/${bot.botId}/results/${listed.text("results.0.id")}`);
    await page.getByRole("dialog").getByText(resultWords.result.nothingSaid).waitFor();
    expect(problems).toEqual([]);
  },
  { reducedMotion: "reduce", viewport: { width: 1440, height: 900 } },
);
