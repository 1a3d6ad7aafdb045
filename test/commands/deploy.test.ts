import { afterAll, beforeAll, beforeEach, expect, setDefaultTimeout, test } from "bun:test";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import type { TestUser } from "../support/api.ts";
import { flowOf, nameAndEmail, says } from "../support/chat.ts";
import { type DeployProject, type DeployWorld, openDeployWorld } from "../support/deploy-world.ts";
import { runCommand } from "../support/service.ts";

setDefaultTimeout(60_000);

let world: DeployWorld;
let url: string;
let project: DeployProject;
let root: string;
let owner: TestUser;
let staging: string;
let production: string;

beforeAll(async () => {
  world = await openDeployWorld();
  url = world.url;
});
afterAll(async () => {
  await world.close();
});
beforeEach(async () => {
  project = await world.openProject();
  ({ root, owner, staging, production } = project);
});

const run: DeployProject["run"] = (...args) => project.run(...args);
const send: DeployProject["send"] = (...request) => project.send(...request);
const read: DeployProject["read"] = (path) => project.read(path);
const makeBot: DeployProject["makeBot"] = (...bot) => project.makeBot(...bot);
const edit: DeployProject["edit"] = (...change) => project.edit(...change);
const linkTo = (typebotId: string) => flowOf([{ id: "link", type: "Typebot link", options: { typebotId } }]);

test("bots are copied between environments with links and tests", async () => {
  const credentials = {
    type: "smtp",
    name: "Post",
    data: { host: "mail.example.com", port: 25, from: { email: "a@example.com" } },
  };
  const there = await send("post", `workspaces/${staging}/credentials`, credentials);
  const here = await send("post", `workspaces/${production}/credentials`, credentials);
  const parent = await send("post", "folders", { workspaceId: staging, folderName: "Care" });
  const mail = {
    id: "mail",
    type: "Email",
    options: { credentialsId: there.text("credentials.id"), recipients: ["a@example.com"] },
  };
  const first = await makeBot("Café 1", flowOf([says("Hello"), mail]), {
    folderId: parent.text("folder.id"),
    icon: "☕",
  });
  const second = await makeBot("Second", linkTo(first));
  await send("patch", `bots/${first}`, {
    bot: {
      edges: [],
      groups: [
        ...flowOf([says("Hello"), mail]).groups,
        ...linkTo(second).groups.map((group) => ({ ...group, id: "more" })),
      ],
    },
  });
  const conversation = {
    title: "Greets",
    linkedFlows: { [second]: linkTo(first) },
    turns: [{ expect: { shows: ["Hello"] } }],
  };
  await send("put", `bots/${first}/testConversations/greeting`, { isRequired: true, conversation });
  await send("put", `bots/${first}/results/retention`, { days: 90 });

  const pulled = await run("pull", "staging");
  const files = await project.files();
  const again = await run("pull", "staging");
  const unchanged = await run("deploy", "staging", "--apply");
  const plan = await run("deploy", "production");
  const nothing = await read(`bots?workspaceId=${production}`);
  const applied = await run("deploy", "production", "--apply", "--json");
  const back = await run("pull", "production");
  const ids = await project.lock("production");
  const bot = await read(`bots/${ids["cafe-1"]?.id}`);
  const stored = await read(`bots/${ids["cafe-1"]?.id}/testConversations/greeting`);
  const retention = await read(`bots/${ids["cafe-1"]?.id}/results/retention`);
  const folders = await read(`folders?workspaceId=${production}`);

  expect([pulled.exitCode, pulled.stdout]).toEqual([0, "added   cafe-1\nadded   second\n2 bots, 0 unchanged\n"]);
  expect(Object.keys(files)).toEqual([
    "cafe-1/bot.json",
    "cafe-1/tests/greeting.json",
    "parley.json",
    "second/bot.json",
  ]);
  const text = files["cafe-1/bot.json"] ?? "";
  expect(text).toStartWith(
    '{\n  "name": "Café 1",\n  "icon": "☕",\n  "folder": [\n    "Care"\n  ],\n  "retentionDays": 90,\n  "requiredTests": [\n    "greeting"\n  ],\n  "version": "6.1",\n',
  );
  expect([text.endsWith("}\n"), text.includes(first), text.includes(second)]).toEqual([true, false, false]);
  expect(text).toContain('"credentialsId": "credentials:smtp/Post"');
  expect(text).toContain('"typebotId": "../second/bot.json"');
  expect(JSON.parse(files["cafe-1/tests/greeting.json"] ?? "")).toMatchObject({
    flow: "../bot.json",
    linkedFlows: { "../second/bot.json": { groups: [{ blocks: [{ options: { typebotId: "bot.json" } }] }] } },
  });
  expect([again.stdout, unchanged.stdout]).toEqual(["2 bots, 2 unchanged\n", "Plan: 2 unchanged\nDeployed\n"]);
  expect([plan.exitCode, plan.stdout]).toEqual([
    0,
    expect.stringMatching(/^\+ create cafe-1\n.*\n\+ create second\n.*\nPlan: 2 create\n$/),
  ]);
  expect(nothing.at("bots")).toEqual([]);
  expect(JSON.parse(applied.stdout)).toMatchObject({
    ...{ environment: "production", isApplied: true, problems: [] },
    bots: [
      { folder: "cafe-1", action: "create", version: null },
      { folder: "second", action: "create", version: null },
    ],
  });
  expect([back.stdout, await project.files()]).toEqual(["2 bots, 2 unchanged\n", files]);
  expect(JSON.stringify(bot.at("bot.groups"))).toContain(`"typebotId":"${ids["second"]?.id}"`);
  expect(JSON.stringify(bot.at("bot.groups"))).toContain(here.text("credentials.id"));
  expect(Object.keys(stored.at("testConversation.conversation.linkedFlows") ?? {})).toEqual([ids["second"]?.id ?? ""]);
  expect([stored.at("testConversation.isRequired"), retention.at("retention.days")]).toEqual([true, 90]);
  expect([folders.at("folders.0.name"), bot.at("bot.folderId")]).toEqual(["Care", folders.at("folders.0.id")]);
});

test("a deploy refuses to overwrite others' changes", async () => {
  const [shop, other] = [await makeBot("Shop", nameAndEmail), await makeBot("Other", flowOf([says("Hi")]))];
  await run("pull", "staging");
  await edit("shop/bot.json", "Your name?", "Who are you?");
  await edit("other/bot.json", "Hi", "Good day");
  await send("patch", `bots/${shop}`, { bot: { theme: { general: { font: "Lato" } } } });

  const refused = await run("deploy", "staging", "--apply");
  const asJson = await run("deploy", "staging", "--apply", "--json");
  const untouched = await read(`bots/${other}`);
  const kept = await run("pull", "staging");
  const forced = await run("deploy", "staging", "--apply", "--force");
  const written = await read(`bots/${shop}`);
  const after = await run("pull", "staging");

  expect([refused.exitCode, refused.stderr]).toEqual([
    1,
    expect.stringMatching(/shop: changed in "staging" since the last pull or deploy\. Merge these changes/),
  ]);
  expect(refused.stdout).toMatch(
    /~ update shop\n {4}flow: changed 1 block.*\n {4}flow: changed theme\n {4}! changed in the environment since then: flow: changed theme\n {4}! changed in the environment since then: by Ada at \S+: Changed by a program\n/,
  );
  expect(JSON.parse(asJson.stdout)).toMatchObject({
    isApplied: false,
    bots: [
      { folder: "other", action: "update" },
      { folder: "shop", moved: ["flow: changed theme", expect.stringMatching(/^by Ada/)] },
    ],
  });
  expect(JSON.stringify(untouched.at("bot.groups"))).toContain('"Hi"');
  expect([kept.exitCode, kept.stderr]).toEqual([
    1,
    expect.stringMatching(/other, shop: neither written nor removed, because the files have changes/),
  ]);
  expect([forced.exitCode, JSON.stringify(written.at("bot.groups"))]).toEqual([
    0,
    expect.stringContaining("Who are you?"),
  ]);
  expect(after.stdout).toBe("2 bots, 2 unchanged\n");
});

test("a change between the plan and the write is a conflict", async () => {
  const shop = await makeBot("Shop", flowOf([says("Hi")]));
  await run("pull", "staging");
  await edit("shop/bot.json", "Hi", "Good day");
  world.before("PATCH", "", async () => {
    await send("patch", `bots/${shop}`, { bot: { icon: "☕" } });
    return undefined;
  });
  const late = await run("deploy", "staging", "--apply", "--json");
  world.before("PATCH", "", async () => Response.json({ message: "Out of order." }, { status: 500 }));
  const interrupted = await run("deploy", "production", "--apply");
  const between = await project.lock("production");
  const continued = await run("deploy", "production", "--apply");
  const there = await read(`bots?workspaceId=${production}`);

  expect([late.exitCode, JSON.parse(late.stdout)]).toMatchObject([
    1,
    { bots: [{ folder: "shop", code: "bot.conflict" }] },
  ]);
  expect([interrupted.exitCode, interrupted.stderr]).toEqual([1, expect.stringContaining("shop: Out of order.")]);
  expect(continued).toMatchObject({ exitCode: 0, stdout: expect.stringMatching(/^~ update shop\n/) });
  expect([there.at("bots.0.id"), there.at("bots.1")]).toEqual([between["shop"]?.id, undefined]);
});

test("manually written files count as unchanged after a deploy", async () => {
  const { version, edges, ...flow } = {
    ...flowOf([says("Hi")]),
    settings: { metadata: { tagManagerId: "GTM-ABC123" } },
  };
  await Bun.write(
    join(root, "hand/bot.json"),
    JSON.stringify({ edges, requiredTests: ["b", "a"], ...flow, name: "Hand", version }),
  );
  const conversation = {
    turns: [{ expect: {}, now: "2026-01-01T00:00:00Z" }],
    seed: "0".repeat(32),
    title: "Greets",
    isPreview: true,
  };
  for (const name of ["a", "b"]) await Bun.write(join(root, `hand/tests/${name}.json`), JSON.stringify(conversation));
  const legacy = await Bun.file(join(import.meta.dir, "../flows/legacy.json")).json();
  const old = {
    name: "Old",
    version: legacy.version,
    groups: legacy.groups,
    edges: legacy.edges,
    variables: legacy.variables,
  };
  await Bun.write(join(root, "old/bot.json"), JSON.stringify(old));
  const tested = await run("test", "hand");
  const deployed = await run("deploy", "staging", "--apply");
  const pulled = await run("pull", "staging");
  const files = await project.files();
  const again = await run("deploy", "staging");

  expect([tested.exitCode, tested.stderr]).toEqual([0, ""]);
  expect([deployed.exitCode, pulled.stdout]).toEqual([0, "2 bots, 2 unchanged\n"]);
  expect(files["hand/tests/a.json"]).toStartWith(
    '{\n  "title": "Greets",\n  "flow": "../bot.json",\n  "isPreview": true,\n',
  );
  expect(Number(legacy.version)).toBeLessThan(6);
  expect(again.stdout).toBe("Plan: 2 unchanged\n");
});

test("a lock file with a path outside the project's folder is rejected", async () => {
  const bots = [{ folder: "../elsewhere", id: "x", base: "", revision: 0, published: null }];
  await Bun.write(join(root, "parley.staging.lock.json"), JSON.stringify({ format: 1, workspaceId: staging, bots }));
  const { exitCode, stderr } = await run("pull", "staging", "--prune");

  expect([exitCode, stderr]).toEqual([1, expect.stringMatching(/parley\.staging\.lock\.json is damaged/)]);
});

test("a changed bot is published as a canary even if another bot is invalid", async () => {
  const [good, bad] = [await makeBot("Good", flowOf([says("Hi")])), await makeBot("Wrong", flowOf([says("Hi")]))];
  await run("pull", "staging");
  await run("deploy", "staging", "--publish", "--apply", "--force-live", "good", "--force-live", "wrong");
  await edit("good/bot.json", "Hi", "Good day");
  await edit("wrong/bot.json", '"toGroup', "");
  await edit("wrong/bot.json", '"type": "start"', '"type": "unknown event"');
  const canary = await run("deploy", "staging", "--publish", "--percent", "10", "--note", "Release 2", "--apply");
  const { canary: running } = JSON.parse(
    (await run("api", "GET", `bots/${good}/canary`, "--url", url, "--token", owner.token)).stdout,
  );
  const publications = await read(`bots/${bad}/publications`);

  expect([canary.exitCode, canary.stdout]).toEqual([
    1,
    expect.stringMatching(
      /~ update good, then publish\n(?:.*\n)*good: published version 2\nDeployed, except for 1 of 2 bots\n$/,
    ),
  ]);
  expect(canary.stderr).toMatch(/wrong: /);
  expect(running).toMatchObject({ number: 2, percent: 10 });
  expect(publications.at("publications.1")).toBeUndefined();
});

test("a deploy and a pull delete bots, tests and folders only with --prune", async () => {
  const [gone, kept] = [await makeBot("Gone", flowOf([says("Hi")])), await makeBot("Kept", flowOf([says("Hi")]))];
  const conversation = { title: "Greets", turns: [{ expect: {} }] };
  await send("put", `bots/${kept}/testConversations/old`, { isRequired: false, conversation });
  await run("pull", "staging");
  await rm(join(root, "gone"), { recursive: true });
  await rm(join(root, "kept/tests"), { recursive: true });
  await edit("kept/bot.json", "Hi", "Good day");

  const plan = await run("deploy", "staging", "--apply");
  const still = await read(`bots/${gone}`);
  const stillTested = await read(`bots/${kept}/testConversations`);
  const pruned = await run("deploy", "staging", "--apply", "--prune");
  const tests = await read(`bots/${kept}/testConversations`);
  await send("delete", `bots/${kept}`);
  const pulled = await run("pull", "staging");
  const removed = await run("pull", "staging", "--prune");

  expect(plan.stdout).toMatch(
    /update kept\n {4}flow: .*\n {4}test "old": only in the environment, --prune removes it\n\? extra gone: has no local folder, --prune/,
  );
  expect([still.status, (await read(`bots/${gone}`)).status]).toEqual([200, 404]);
  expect([pruned.exitCode, pruned.stdout]).toEqual([
    0,
    expect.stringMatching(/~ update kept\n {4}test "old": removed\n- remove gone\n/),
  ]);
  expect([stillTested.at("testConversations.0.name"), tests.at("testConversations")]).toEqual(["old", []]);
  expect([pulled.stdout, pulled.stderr]).toEqual([
    "gone    kept\n1 bots, 0 unchanged\n",
    expect.stringMatching(/removed with --prune/),
  ]);
  expect([removed.stdout, Object.keys(await project.files())]).toEqual([
    "removed kept\n1 bots, 0 unchanged\n",
    ["parley.json"],
  ]);
});

test("missing references are reported before anything is sent", async () => {
  await makeBot("Taken", flowOf([says("Hi")]));
  await Bun.write(join(root, "taken/bot.json"), JSON.stringify({ name: "Taken", ...linkTo("../lost/bot.json") }));
  const mail = { id: "mail", type: "Email", options: { credentialsId: "credentials:smtp/Post" } };
  await Bun.write(
    join(root, "mail/bot.json"),
    JSON.stringify({ name: "Mail", requiredTests: ["none"], ...flowOf([mail]) }),
  );
  const refused = await run("deploy", "staging", "--apply");
  await Bun.write(join(root, "taken/bot.json"), JSON.stringify({ name: "Taken", ...flowOf([says("Mine")]) }));
  await rm(join(root, "mail"), { recursive: true });
  const adopted = await run("deploy", "staging", "--apply", "--adopt");

  expect([refused.exitCode, (await read(`bots?workspaceId=${staging}`)).at("bots.1")]).toEqual([1, undefined]);
  for (const sentence of [
    'mail/bot.json needs credentials:smtp/Post, which "staging" does not have, or has twice.',
    'mail/bot.json requires the test "none", which is not in tests/.',
    "taken/bot.json links to ../lost/bot.json, which does not exist.",
    'taken: "staging" has a bot "Taken" that does not belong to this folder yet. Use --adopt,',
  ]) {
    expect(refused.stderr).toContain(sentence);
  }
  expect([adopted.exitCode, adopted.stdout]).toEqual([0, expect.stringMatching(/^~ update taken\n/)]);
});

test("an invalid folder or environment is rejected with a message", async () => {
  const empty = await run("deploy", "staging", "nothing-here");
  const unknown = await run("pull", "test");
  const token = await runCommand(["pull", "production"], { environment: { PARLEY_TOKEN: owner.token }, cwd: root });
  const moved = await run("pull", "staging", "--url", "http://localhost:1");
  await run("pull", "staging");
  await edit("parley.json", staging, production);
  const elsewhere = await run("pull", "staging");
  await Bun.write(join(root, "odd/bot.json"), JSON.stringify({ id: "of an export", name: "Odd", publicID: "odd" }));
  const odd = await run("deploy", "production");

  expect([empty.exitCode, empty.stderr]).toEqual([
    1,
    expect.stringMatching(/nothing-here does not exist: enter the folder/),
  ]);
  expect([unknown.exitCode, unknown.stderr]).toEqual([
    1,
    expect.stringMatching(/no environment "test", only staging, production/),
  ]);
  expect([token.exitCode, token.stderr]).toEqual([2, expect.stringMatching(/token for "production": PARLEY_LIVE/)]);
  expect([moved.exitCode, moved.stderr]).toEqual([2, expect.stringMatching(/are only for a new environment/)]);
  expect([elsewhere.exitCode, elsewhere.stderr]).toEqual([1, expect.stringMatching(/belongs to the workspace/)]);
  expect([odd.exitCode, odd.stderr]).toEqual([
    1,
    expect.stringMatching(/odd\/bot\.json has an unknown member "publicID"/),
  ]);
});
