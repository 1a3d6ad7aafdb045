import { afterAll, beforeAll, beforeEach, describe, expect, setDefaultTimeout, test } from "bun:test";
import { join } from "node:path";
import { flowOf, says } from "../support/chat.ts";
import { type DeployProject, type DeployWorld, openDeployWorld } from "../support/deploy-world.ts";

setDefaultTimeout(60_000);

let world: DeployWorld;
let project: DeployProject;

beforeAll(async () => {
  world = await openDeployWorld();
});
afterAll(async () => {
  await world.close();
});
beforeEach(async () => {
  project = await world.openProject();
});

/** A bot that shows one sentence. Each version uses the same block. */
const saying = (text: string) => flowOf([says(text, "sentence")]);
const flow = saying("Version 1");

async function makeLive(name: string, versions: number): Promise<string> {
  const botId = await project.makeBot(name, flow);
  for (let version = 1; version <= versions; version++) {
    await project.send("patch", `bots/${botId}`, { bot: saying(`Version ${version}`) });
    await project.send("post", `bots/${botId}/publish`);
  }
  return botId;
}

const firstText = "groups.0.blocks.0.content.richText.0.children.0.text";

async function live(botId: string) {
  return {
    number: (await project.read(`bots/${botId}`)).at("bot.publicationNumber"),
    text: (await project.read(`bots/${botId}/publishedBot`)).at(`publishedBot.${firstText}`),
    canary: (await project.read(`bots/${botId}/canary`)).at("canary.number"),
  };
}

function deploy(...options: readonly string[]) {
  return project.run("deploy", "staging", "--apply", "--publish", ...options);
}

/** Publishes an earlier version again, as `parley bots rollback` does. */
async function rollBack(botId: string, to: number) {
  await project.send("post", `bots/${botId}/publications/${to}/publish`);
}

/** Makes the next publication succeed, but lets the client receive an error. */
function loseAnswer() {
  world.before("POST", "/publish", async (request) => {
    await world.api.handle(request);
    return Response.json({ message: "Out of order." }, { status: 500 });
  });
}

const change = (folder: string) => project.edit(`${folder}/bot.json`, "Version", "Edition");

describe("a bot whose files did not change", () => {
  test("a bot whose files did not change keeps its live version", async () => {
    const [rolled, canaried, gone] = [
      await makeLive("rolled", 2),
      await makeLive("canaried", 1),
      await makeLive("gone", 1),
    ];
    const [closed, ahead, fresh] = [
      await makeLive("closed", 1),
      await makeLive("ahead", 1),
      await project.makeBot("fresh", flow),
    ];
    const b = await makeLive("b", 1);
    await project.send("patch", `bots/${ahead}`, { bot: saying("Not finished") });
    await project.run("pull", "staging");
    await rollBack(rolled, 1);
    await project.send("post", `bots/${canaried}/publish`, { percent: 10 });
    await project.send("post", `bots/${gone}/unpublish`);
    await project.send("patch", `bots/${closed}`, { bot: { isClosed: true } });
    const others = [rolled, canaried, gone, closed, ahead, fresh];
    const before = await Promise.all(others.map(live));

    await change("b");
    const planned = await project.run("deploy", "staging", "--publish");
    const first = await deploy("--json");
    const after = await Promise.all(others.map(live));
    await project.edit("b/bot.json", "Edition", "Issue");
    const second = await deploy();

    expect([first.exitCode, second.exitCode]).toEqual([0, 0]);
    expect(before.map(({ number, canary }) => [number, canary])).toEqual([
      [3, undefined],
      [1, 2],
      [null, undefined],
      [1, undefined],
      [1, undefined],
      [null, undefined],
    ]);
    expect(after).toEqual(before);
    expect(await Promise.all(others.map(live))).toEqual(before);
    expect(await live(b)).toMatchObject({ number: 3, text: "Issue 1" });
    expect((await project.read(`bots/${closed}`)).at("bot.isClosed")).toBe(true);
    for (const line of [
      "rolled: live: version 3, not the lock's 2: left",
      "canaried: live: version 1, and the canary 2 for 10% of new chats: left",
      "gone: live: no version, not the lock's 1: left",
      "ahead: live: version 1, which differs from the files: left",
      "fresh: live: no version: left",
    ]) {
      expect(planned.stdout).toContain(line);
    }
    expect(planned.stdout).not.toContain("closed: live");
    expect(JSON.parse(first.stdout).bots).toContainEqual({
      ...{ folder: "rolled", action: "unchanged", botId: rolled, changes: [], publishes: false, version: null },
      left: "live: version 3, not the lock's 2",
    });
    expect(second.stdout).toContain("rolled: live: version 3, which differs from the files: left\n");
    expect((await project.lock("staging"))["rolled"]).toMatchObject({ published: 3 });
  });

  test("an unchanged bot keeps its live version with --force", async () => {
    const a = await makeLive("a", 2);
    await project.run("pull", "staging");
    await project.run("deploy", "production", "--apply", "--publish");
    const there = (await project.lock("production"))["a"]?.id ?? "";
    await project.send("patch", `bots/${there}`, { bot: saying("Changed there") });
    await project.send("post", `bots/${there}/publish`);
    await rollBack(a, 1);

    const forced = await project.run("deploy", "production", "--apply", "--publish", "--force");
    const kept = await live(there);
    const named = await deploy("--force-live", "a");

    expect([forced.exitCode, kept]).toMatchObject([0, { number: 2, text: "Changed there" }]);
    expect((await project.read(`bots/${there}`)).at(`bot.${firstText}`)).toBe("Version 2");
    expect([named.exitCode, await live(a)]).toMatchObject([0, { number: 4, text: "Version 2" }]);
  });
});

describe("a bot whose files changed", () => {
  test("a changed bot is a conflict if its live version differs from the lock", async () => {
    const [rolled, canaried, gone] = [
      await makeLive("rolled", 2),
      await makeLive("canaried", 1),
      await makeLive("gone", 1),
    ];
    const b = await makeLive("b", 1);
    await project.run("pull", "staging");
    await rollBack(rolled, 1);
    await project.send("post", `bots/${canaried}/publish`, { percent: 10 });
    await project.send("post", `bots/${gone}/unpublish`);
    for (const folder of ["rolled", "canaried", "gone", "b"]) await change(folder);

    const refused = await deploy("--force-live", "gone");
    const asJson = await deploy("--force", "--json", "--force-live", "gone");
    const untouched = await Promise.all([rolled, canaried, gone, b].map(live));
    const drafts = await project.run("deploy", "staging", "--apply");
    await project.edit("rolled/bot.json", "Edition", "Issue");
    const stillRefused = await deploy();
    const forced = await deploy(...["rolled", "canaried/", "gone"].flatMap((folder) => ["--force-live", folder]));

    expect([refused.exitCode, refused.stderr]).toEqual([
      1,
      expect.stringMatching(/^canaried, rolled: the live version .*--force-live/m),
    ]);
    expect(refused.stdout).toContain("! live: version 3, not the lock's 2\n");
    expect(refused.stdout).toContain("! live: version 1, and the canary 2 for 10% of new chats\n");
    expect(JSON.parse(asJson.stdout)).toMatchObject({
      isApplied: false,
      bots: [
        { folder: "b", publishes: true },
        { folder: "canaried", conflict: "live: version 1, and the canary 2 for 10% of new chats" },
        { folder: "gone", publishes: true },
        { folder: "rolled", conflict: "live: version 3, not the lock's 2" },
      ],
    });
    expect(untouched).toMatchObject([{ number: 3 }, { number: 1, canary: 2 }, { number: null }, { text: "Version 1" }]);
    expect([drafts.exitCode, stillRefused.exitCode, forced.exitCode]).toEqual([0, 1, 0]);
    expect(await Promise.all([rolled, canaried, gone].map(live))).toMatchObject([
      { text: "Issue 2" },
      { text: "Edition 1", canary: undefined },
      { text: "Edition 1" },
    ]);
  });

  test("a changed bot is no conflict if the live version equals its files", async () => {
    const [hotfix, promoted] = [await makeLive("hotfix", 2), await makeLive("promoted", 1)];
    await project.run("pull", "staging");
    await change("promoted");
    await deploy("--percent", "10");
    await project.send("post", `bots/${promoted}/canary/promote`);
    await rollBack(hotfix, 1);
    await project.edit("hotfix/bot.json", "Version 2", "Version 1");
    await project.edit("promoted/bot.json", "Edition", "Issue");
    const deployed = await deploy();

    expect([deployed.exitCode, deployed.stderr]).toEqual([0, expect.not.stringContaining("conflict")]);
    expect(await live(hotfix)).toMatchObject({ number: 3, text: "Version 1" });
    expect((await project.read(`bots/${hotfix}`)).at(`bot.${firstText}`)).toBe("Version 1");
    expect(await live(promoted)).toMatchObject({ number: 3, text: "Issue 1" });
    expect((await project.lock("staging"))["hotfix"]).toMatchObject({ published: 3 });
  });

  test("a bot whose publication failed is published once by later deploys", async () => {
    const a = await makeLive("a", 1);
    await project.run("pull", "staging");
    await change("a");
    world.before("POST", "/publish", async () => Response.json({ message: "Out of order." }, { status: 500 }));
    const failed = await deploy();
    const pending = (await project.lock("staging"))["a"];
    await project.run("pull", "staging");
    loseAnswer();
    const inDoubt = await deploy();
    const afterDoubt = await live(a);
    const again = await deploy();
    const done = (await project.lock("staging"))["a"];

    expect([failed.exitCode, pending]).toMatchObject([1, { published: 1, isPublishing: true }]);
    expect([inDoubt.exitCode, afterDoubt]).toMatchObject([1, { number: 2, text: "Edition 1" }]);
    expect([again.exitCode, await live(a)]).toEqual([0, afterDoubt]);
    expect(done).toMatchObject({ published: 2 });
    expect(done).not.toHaveProperty("isPublishing");
  });

  test("a second deploy keeps the canary of an interrupted deploy", async () => {
    const a = await makeLive("a", 1);
    await project.run("pull", "staging");
    await change("a");
    loseAnswer();
    const inDoubt = await deploy("--percent", "10");
    const lockFile = Bun.file(join(project.root, "parley.staging.lock.json"));
    const lock = await lockFile.text();
    const again = await deploy("--percent", "10");
    const canary = await live(a);
    await Bun.write(lockFile, lock);
    const forAll = await deploy();

    expect([inDoubt.exitCode, again.exitCode, canary]).toEqual([1, 0, { number: 1, text: "Version 1", canary: 2 }]);
    expect([forAll.exitCode, await live(a)]).toEqual([0, { number: 3, text: "Edition 1", canary: undefined }]);
  });

  test("a changed bot is not published over a newer live version", async () => {
    const a = await makeLive("a", 2);
    await project.run("pull", "staging");
    await change("a");
    world.before("PATCH", a, async () => {
      await rollBack(a, 1);
      return undefined;
    });
    const late = await deploy("--json");

    expect([late.exitCode, JSON.parse(late.stdout).bots]).toMatchObject([1, [{ folder: "a", code: "live.conflict" }]]);
    expect(await live(a)).toMatchObject({ number: 3, text: "Version 1" });
  });

  test("a deploy with an older lock changes only the draft", async () => {
    const a = await makeLive("a", 2);
    await project.run("pull", "staging");
    await rollBack(a, 1);
    const lockFile = Bun.file(join(project.root, "parley.staging.lock.json"));
    await Bun.write(lockFile, (await lockFile.text()).replace(/,\n *"published": 2/, ""));
    await change("a");
    const unknown = await deploy();
    const between = await live(a);
    const draft = (await project.read(`bots/${a}`)).at(`bot.${firstText}`);
    await project.edit("a/bot.json", "Edition", "Issue");
    const known = await deploy();

    expect([unknown.exitCode, unknown.stderr]).toEqual([
      0,
      expect.stringMatching(/^a: the lock file does not contain .*--force-live/m),
    ]);
    expect([between, draft]).toMatchObject([{ number: 3, text: "Version 1" }, "Edition 2"]);
    expect([known.exitCode, await live(a)]).toMatchObject([0, { number: 4, text: "Issue 2" }]);
  });

  test("an adopted bot is a conflict if it has another live version", async () => {
    const a = await makeLive("a", 1);
    await Bun.write(join(project.root, "a/bot.json"), JSON.stringify({ name: "a", ...saying("Mine") }));
    const refused = await deploy("--adopt");
    const named = await deploy("--adopt", "--force-live", "a");

    expect([refused.exitCode, refused.stdout]).toEqual([
      1,
      expect.stringContaining("! live: version 1, not the lock's"),
    ]);
    expect([named.exitCode, await live(a)]).toMatchObject([0, { number: 2, text: "Mine" }]);
  });
});

test("--force-live is rejected for an unknown folder or without --publish", async () => {
  await project.makeBot("a", flow);
  await project.run("pull", "staging");
  const strange = await deploy("--force-live", "b");
  const draft = await project.run("deploy", "staging", "--apply", "--force-live", "a");

  expect([strange.exitCode, strange.stderr]).toEqual([
    1,
    expect.stringContaining('--force-live: there is no folder "b"'),
  ]);
  expect([draft.exitCode, draft.stderr]).toEqual([2, expect.stringContaining("--force-live")]);
});
