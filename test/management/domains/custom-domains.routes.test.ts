import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import type { Mailer } from "../../../src/effects/mail/email.ts";
import { limits } from "../../../src/limits/index.ts";
import { customDomains } from "../../../src/management/domains/custom-domains.job.ts";
import type { ResolveTxt } from "../../../src/management/domains/domain-proof.ts";
import { cleanUp } from "../../../src/platform/queue/clean-up.ts";
import { createTestApi, type TestApi, type TestUser } from "../../support/api.ts";
import { flowOf, publish, says } from "../../support/chat.ts";
import { type DomainWorld, startDomainWorld } from "../../support/domain-world.ts";
import { createThreads, type Threads } from "../../support/threads.ts";
import { waitFor } from "../../support/wait.ts";
import { visitor } from "../../support/web-page.ts";

let api: TestApi;
let threads: Threads;
let world: DomainWorld;
/** If set, DNS answers only once this promise resolves, with the records at the time of the request. */
let dnsWaits: Promise<void> | undefined;
let lookUps = 0;
let owner: TestUser;
let rival: TestUser;
let workspaceId: string;
let rivalWorkspaceId: string;

beforeAll(async () => {
  threads = createThreads({ count: 1 });
  world = await startDomainWorld();
  const { safeFetch } = world;
  const resolveTxt: ResolveTxt = async (name) => {
    const until = dnsWaits;
    lookUps++;
    const found = await Promise.allSettled([world.resolveTxt(name)]);
    await until;
    if (found[0].status === "rejected") throw found[0].reason;
    return found[0].value;
  };
  api = await createTestApi({
    threads,
    resolveTxt,
    safeFetch,
    config: { PUBLIC_URL: "http://bots.example", CHAT_URL: "http://chats.example" },
  });
  [owner, rival] = [await api.makeUser(), await api.makeUser()];
  workspaceId = await api.makeWorkspace(owner);
  rivalWorkspaceId = await api.makeWorkspace(rival);
});
beforeEach(async () => {
  await api.deps.sql`update bots set custom_domain = null`;
  await api.deps.sql`truncate custom_domains`;
  world.clear();
  dnsWaits = undefined;
  lookUps = 0;
});
afterAll(async () => {
  await threads.close();
  await world.close();
  await api.close();
});

const ours = () => ({ token: owner.token, workspaceId });
const theirs = () => ({ token: rival.token, workspaceId: rivalWorkspaceId });
type Side = ReturnType<typeof ours>;

const pathOf = ({ workspaceId: id }: Side, rest = "") => `/api/v1/workspaces/${id}/custom-domains${rest}`;
const claim = (side: Side, name: string) => api.client.post(pathOf(side), { token: side.token, body: { name } });
const verify = (side: Side, id: string) => api.client.post(pathOf(side, `/${id}/verify`), { token: side.token });
const look = (side: Side, id: string) => api.client.get(pathOf(side, `/${id}`), { token: side.token });
const isAllowed = async (name: string) => (await api.client.get(`/api/v1/domains/allowed?domain=${name}`)).status;

async function claimWithProof(side: Side, name: string): Promise<string> {
  const claimed = await claim(side, name);
  const record = claimed.text("customDomain.proof.record.name");
  const others = world.dns.records.get(record);
  const values = Array.isArray(others) ? others : [];
  world.dns.records.set(record, [...values, claimed.text("customDomain.proof.record.value")]);
  return claimed.text("customDomain.id");
}

async function claimProved(side: Side, name: string): Promise<string> {
  const id = await claimWithProof(side, name);
  expect((await verify(side, id)).at("customDomain.state")).toBe("verified");
  return id;
}

async function publishAt(side: Side, text: string, customDomain: string | null): Promise<string> {
  const { botId, publicId } = await publish(api.client, side, flowOf([says(text)]));
  const body = { bot: { customDomain } };
  expect((await api.client.patch(`/api/v1/bots/${botId}`, { token: side.token, body })).status).toBe(200);
  return publicId;
}

async function saidAt(host: string, path = "/"): Promise<readonly string[] | number> {
  const page = await visitor(api, { host }).visit(path);
  return page.status === 200 ? page.said : page.status;
}

/** Runs the scheduled job as if `afterSeconds` seconds had passed. */
async function runJob(afterSeconds = 0, tools = api.deps): Promise<string> {
  await api.deps.sql`
    update custom_domains
    set next_check_at = next_check_at - make_interval(secs => ${afterSeconds}),
      checked_at = checked_at - make_interval(secs => ${afterSeconds}),
      unproved_since = unproved_since - make_interval(secs => ${afterSeconds})`;
  const signal = new AbortController().signal;
  const run = cleanUp([customDomains(tools)], { isAhead: () => false });
  return (await run({ id: "1", data: { task: "custom-domains" }, signal })).message;
}

describe("a claimed domain", () => {
  test("a new claim is pending and describes the required proof", async () => {
    const claimed = await claim(ours(), "Chat.Example.com");

    const proof = claimed.text("customDomain.proof.record.value");
    expect(proof).toMatch(/^parley-domain=[0-9a-f]{32}$/);
    expect(claimed.at("customDomain")).toEqual({
      id: claimed.text("customDomain.id"),
      workspaceId,
      name: "chat.example.com",
      state: "pending",
      proof: {
        record: { type: "TXT", name: "_parley.chat.example.com", value: proof },
        file: { url: "http://chat.example.com/.well-known/parley-domain", content: proof },
      },
      provedBy: null,
      problem: null,
      advice: expect.stringContaining(proof),
      servedUntil: null,
      verifiedAt: null,
      checkedAt: null,
      createdAt: claimed.text("customDomain.createdAt"),
      updatedAt: claimed.text("customDomain.updatedAt"),
    });
  });

  test("claiming a domain again changes nothing", async () => {
    const first = await claim(ours(), "chat.example.com");

    expect((await claim(ours(), "CHAT.example.com")).body).toEqual(first.body);
    const other = await claim(theirs(), "chat.example.com");
    expect(other.at("customDomain.state")).toBe("pending");
    expect(other.text("customDomain.proof.record.value")).not.toBe(first.text("customDomain.proof.record.value"));
  });

  test.each([
    "",
    "localhost",
    "a.b1",
    "https://a.example",
    "chat.example.com/path",
    "a..example",
    `${"a".repeat(64)}.example`,
  ])("a claimed domain must be a host name, and not %p", async (name) => {
    const answer = await claim(ours(), name);
    expect([answer.at("code"), answer.at("data.issues.0.path")]).toEqual(["request.invalid", "name"]);
  });

  test("a claimed domain counts toward the limit of the workspace", async () => {
    const most = limits.customDomains.perWorkspace;
    await api.deps.sql`
      insert into custom_domains (id, workspace_id, name, proof)
      select gen_random_uuid(), ${workspaceId}, number || '.example.com', 'x'
      from generate_series(1, ${most}) as numbers (number)`;

    const refused = await claim(ours(), "one-more.example.com");

    expect([refused.status, refused.at("code"), refused.at("data")]).toEqual([409, "custom_domain.too_many", { most }]);
    expect((await claim(ours(), "1.example.com")).status).toBe(200);
    const { botId } = await publish(api.client, ours(), flowOf([says("Hello")]));
    const body = { bot: { customDomain: "one-more.example.com" } };
    const patched = await api.client.patch(`/api/v1/bots/${botId}`, { token: owner.token, body });
    expect(patched.at("code")).toBe("custom_domain.too_many");
  });

  test("claimed domains are listed newest first", async () => {
    const ids: string[] = [];
    for (const name of ["a.example", "b.example", "c.example"]) {
      ids.push((await claim(ours(), name)).text("customDomain.id"));
    }
    await claim(theirs(), "d.example");
    await api.spreadCreation("custom_domains", ids);

    const page = await api.client.get(pathOf(ours(), "?limit=2"), { token: owner.token });
    const cursor = page.text("nextCursor");
    const rest = await api.client.get(pathOf(ours(), `?limit=2&cursor=${cursor}`), { token: owner.token });

    const names = [page, rest].flatMap(({ at, list }) =>
      list("customDomains").map((_, index) => at(`customDomains.${index}.name`)),
    );
    expect(names).toEqual(["c.example", "b.example", "a.example"]);
    expect(rest.at("nextCursor")).toBeUndefined();
  });
});

describe("a proof of ownership", () => {
  test("a domain is verified by a proof in DNS", async () => {
    const id = await claimWithProof(ours(), "chat.example.com");

    const verified = await verify(ours(), id);

    expect(verified.at("customDomain")).toMatchObject({
      state: "verified",
      provedBy: "dns",
      problem: null,
      advice: null,
      verifiedAt: expect.any(String),
      checkedAt: expect.any(String),
    });
  });

  test("a domain is verified by a proof file", async () => {
    const claimed = await claim(ours(), "chat.example.com");
    world.files.set("/.well-known/parley-domain", { text: claimed.text("customDomain.proof.file.content") });

    expect((await verify(ours(), claimed.text("customDomain.id"))).at("customDomain")).toMatchObject({
      state: "verified",
      provedBy: "file",
    });
  });

  test("a missing proof of ownership is reported with a remedy", async () => {
    const id = (await claim(ours(), "chat.example.com")).text("customDomain.id");

    const refused = await verify(ours(), id);

    expect(refused.at("customDomain")).toMatchObject({ state: "pending", verifiedAt: null });
    expect(refused.text("customDomain.problem")).toBe(
      "There is no TXT record _parley.chat.example.com; http://chat.example.com/.well-known/parley-domain answers with status 404; " +
        "https://chat.example.com/.well-known/parley-domain answers with status 404.",
    );
    expect(refused.text("customDomain.advice")).toContain("Add a TXT record named _parley.chat.example.com");
  });

  test("a slow look-up does not replace the result of a newer look-up", async () => {
    const id = (await claim(ours(), "chat.example.com")).text("customDomain.id");
    const late = Promise.withResolvers<void>();
    dnsWaits = late.promise;
    const first = verify(ours(), id);
    await waitFor(() => lookUps === 1);
    dnsWaits = undefined;
    await claimProved(ours(), "chat.example.com");
    late.resolve();

    expect((await first).at("customDomain")).toMatchObject({ state: "verified", problem: null });
    expect((await look(ours(), id)).at("customDomain")).toMatchObject({ state: "verified", problem: null });
  });

  test("the proof of another workspace does not verify a domain", async () => {
    await claimWithProof(theirs(), "chat.example.com");
    const id = (await claim(ours(), "chat.example.com")).text("customDomain.id");

    expect((await verify(ours(), id)).at("customDomain.state")).toBe("pending");
  });
});

describe("two workspaces that claim the same domain", () => {
  test("only the bots of the verified workspace are served at a domain", async () => {
    await publishAt(theirs(), "First come", "chat.example.com");
    const mine = await publishAt(ours(), "Proved", "chat.example.com");
    expect(await saidAt("chat.example.com")).toBe(302);

    await claimProved(ours(), "chat.example.com");

    expect(await saidAt("chat.example.com")).toEqual(["bot: Proved"]);
    expect(await saidAt("chats.example", `/${mine}`)).toEqual(["bot: Proved"]);
  });

  test("a domain stays with its first workspace while both prove ownership", async () => {
    await claimProved(theirs(), "chat.example.com");
    const id = await claimWithProof(ours(), "chat.example.com");

    const refused = await verify(ours(), id);

    expect(refused.at("customDomain.state")).toBe("pending");
    expect(refused.text("customDomain.problem")).toContain("another workspace also proves this domain");
  });

  test("a domain moves to another workspace if the first proof is missing", async () => {
    await publishAt(theirs(), "Former", "chat.example.com");
    await publishAt(ours(), "New", "chat.example.com");
    const former = await claimProved(theirs(), "chat.example.com");
    world.clear();

    await claimProved(ours(), "chat.example.com");

    expect(await saidAt("chat.example.com")).toEqual(["bot: New"]);
    expect((await look(theirs(), former)).at("customDomain.state")).toBe("failed");
  });

  test("a domain stays with its workspace while its proof cannot be checked", async () => {
    const former = await claimProved(theirs(), "chat.example.com");
    const claimed = await claim(ours(), "chat.example.com");
    world.dns.records.set("_parley.chat.example.com", "fails");
    world.files.set("/.well-known/parley-domain", { text: claimed.text("customDomain.proof.file.content") });

    expect((await verify(ours(), claimed.text("customDomain.id"))).at("customDomain.state")).toBe("pending");
    expect((await look(theirs(), former)).at("customDomain.state")).toBe("verified");
  });

  test("exactly one of two simultaneous claimants gets a domain", async () => {
    const names = Array.from({ length: 10 }, (_, number) => `${number}.example.com`);
    const pairs: (readonly [string, string])[] = [];
    for (const name of names) pairs.push([await claimWithProof(ours(), name), await claimWithProof(theirs(), name)]);
    const both = Promise.withResolvers<void>();
    dnsWaits = both.promise;
    const answers = pairs.map(([mine, other]) => Promise.all([verify(ours(), mine), verify(theirs(), other)]));
    await waitFor(() => lookUps === 2 * names.length);
    dnsWaits = undefined;
    both.resolve();

    for (const pair of await Promise.all(answers)) {
      expect(pair.map((answer) => answer.at("customDomain.state")).toSorted()).toEqual(["pending", "verified"]);
    }
  });
});

describe("a bot at a custom domain", () => {
  test("a bot at a custom domain claims the domain for its workspace", async () => {
    await publishAt(ours(), "Hello", "One.example.com/pricing");
    const body = { workspaceId, bot: { customDomain: "two.example.com" } };
    await api.client.post("/api/v1/bots", { token: owner.token, body });

    const listed = await api.client.get(pathOf(ours()), { token: owner.token });

    expect(["customDomains.0.name", "customDomains.1.name"].map((path) => listed.at(path)).toSorted()).toEqual([
      "one.example.com",
      "two.example.com",
    ]);
  });

  test("the root of a custom domain can have only one bot per workspace", async () => {
    await publishAt(ours(), "Hello", "chat.example.com");
    const { botId } = await publish(api.client, ours(), flowOf([says("Second")]));
    const body = { bot: { customDomain: "CHAT.example.com" } };

    const refused = await api.client.patch(`/api/v1/bots/${botId}`, { token: owner.token, body });

    expect(refused.at("code")).toBe("bot.custom_domain_taken");
    await publishAt(theirs(), "Theirs", "chat.example.com");
  });

  test("a bot is served at a custom domain only while the domain is verified", async () => {
    await publishAt(ours(), "Hello", "chat.example.com");
    expect(await saidAt("chat.example.com")).toBe(302);
    const id = await claimProved(ours(), "chat.example.com");
    expect(await saidAt("chat.example.com")).toEqual(["bot: Hello"]);
    expect(await saidAt("CHAT.example.com:8080")).toEqual(["bot: Hello"]);

    await api.client.delete(pathOf(ours(), `/${id}`), { token: owner.token });

    expect(await saidAt("chat.example.com")).toBe(302);
  });

  test("bots at a custom domain are served at their paths, but not at a subdomain", async () => {
    await publishAt(ours(), "Front", "chat.example.com");
    await publishAt(ours(), "Pricing", "chat.example.com/Pricing");
    await claimProved(ours(), "chat.example.com");

    expect(await saidAt("chat.example.com", "/pricing/")).toEqual(["bot: Pricing"]);
    expect(await saidAt("chat.example.com", "/nothing")).toBe(404);
    expect(await saidAt("sub.chat.example.com")).toBe(302);
  });

  test("a custom domain serves no bot of another workspace", async () => {
    const own = await publishAt(ours(), "Own", null);
    const foreign = await publishAt(theirs(), "Foreign", null);
    await claimProved(ours(), "chat.example.com");

    expect(await saidAt("chat.example.com", `/${own}`)).toEqual(["bot: Own"]);
    expect(await saidAt("chat.example.com", `/${foreign}`)).toBe(404);
    expect(await saidAt("chats.example", `/${foreign}`)).toEqual(["bot: Foreign"]);
  });

  test("the service's own address serves the bots of all workspaces", async () => {
    const foreign = await publishAt(theirs(), "Foreign", null);
    await publishAt(ours(), "Front", "chats.example");
    await claimProved(ours(), "chats.example");

    expect(await saidAt("chats.example")).toEqual(["bot: Front"]);
    expect(await saidAt("chats.example", `/${foreign}`)).toEqual(["bot: Foreign"]);
  });

  test("deleting a claim removes the domain only from bots of the claim's workspace", async () => {
    await publishAt(ours(), "Hello", "chat.example.com/pricing");
    await publishAt(theirs(), "Hello", "chat.example.com/pricing");
    const listed = await api.client.get(pathOf(ours()), { token: owner.token });

    await api.client.delete(pathOf(ours(), `/${listed.text("customDomains.0.id")}`), { token: owner.token });

    const rows = await api.deps.sql<{ workspaceId: string }[]>`
      select workspace_id from bots where custom_domain is not null`;
    expect(rows.map((row) => row.workspaceId)).toEqual([rivalWorkspaceId]);
  });
});

describe("a bot's domain", () => {
  const statusAt = async (host: string, path: string) =>
    (await api.handle(new Request(`http://localhost${path}`, { headers: { host } }))).status;

  test("a bot's domain serves neither the API documentation nor the queues", async () => {
    await claimProved(ours(), "chat.example.com");
    await claimProved(ours(), "bots.example");

    for (const path of ["/docs", "/admin/queues", "/admin/queues/queue/email"]) {
      expect([path, await statusAt("chat.example.com", path)]).toEqual([path, 404]);
      expect([path, await statusAt("CHAT.example.com:8443", path)]).toEqual([path, 404]);
      for (const host of ["bots.example", "bots.example:80", "other.example.com", "10.0.0.7:3000", "localhost"]) {
        expect([host, path, await statusAt(host, path)]).toEqual([host, path, 200]);
      }
    }
  });

  test("a bot's domain returns 404 at the root if no bot is assigned to the root", async () => {
    await claimProved(ours(), "chat.example.com");

    expect(await statusAt("chat.example.com", "/")).toBe(404);
    expect(await statusAt("other.example.com", "/")).toBe(302);
  });
});

describe("a proxy that requests permission for a certificate", () => {
  test("a proxy may request a certificate only for a verified domain", async () => {
    await claimProved(ours(), "chat.example.com");
    await claim(ours(), "waiting.example.com");

    const answers = [];
    for (const name of [
      "chat.example.com",
      "CHAT.Example.com",
      "waiting.example.com",
      "nobody.example.com",
      "-",
      "%00",
    ]) {
      answers.push(await isAllowed(name));
    }

    expect(answers).toEqual([200, 200, 404, 404, 404, 404]);
    const refused = await api.client.get("/api/v1/domains/allowed?domain=nobody.example.com");
    expect(refused.at("code")).toBe("custom_domain.not_found");
    expect(await api.client.get("/api/v1/domains/allowed")).toMatchObject({ status: 400 });
  });

  test("a proxy gets no certificate for a domain of a deleted workspace", async () => {
    const somebody = await api.makeUser();
    const side = { token: somebody.token, workspaceId: await api.makeWorkspace(somebody) };
    await claimProved(side, "chat.example.com");

    await api.client.delete(`/api/v1/workspaces/${side.workspaceId}`, { token: side.token });

    expect(await isAllowed("chat.example.com")).toBe(404);
  });
});

describe("scheduled checks", () => {
  const day = 86_400;

  test("a scheduled check verifies a claim once its proof exists", async () => {
    const id = await claimWithProof(ours(), "chat.example.com");

    expect(await runJob()).toBe("Checked 1");

    expect((await look(ours(), id)).at("customDomain.state")).toBe("verified");
    expect(await runJob(day / 2)).toBe("Checked 0");
    expect(await runJob(day / 2)).toBe("Checked 1");
    expect((await look(ours(), id)).at("customDomain")).toMatchObject({
      state: "verified",
      problem: null,
      servedUntil: null,
    });
  });

  test("a claim without proof is checked at increasing intervals until it fails", async () => {
    const id = (await claim(ours(), "chat.example.com")).text("customDomain.id");
    await runJob();

    expect(await runJob(limits.customDomains.eagerSeconds)).toBe("Checked 1");
    expect(await runJob(day)).toBe("Checked 1");
    expect(await runJob(limits.customDomains.eagerSeconds)).toBe("Checked 0");
    await runJob(limits.customDomains.pendingDays * day);
    const failed = await look(ours(), id);
    expect(failed.at("customDomain.state")).toBe("failed");
    expect(failed.text("customDomain.advice")).toContain("Then send POST …/verify");
    expect(await runJob(day)).toBe("Checked 0");
    expect((await verify(ours(), id)).at("customDomain.state")).toBe("pending");
  });

  test("a verified domain without proof is served for some more days", async () => {
    await publishAt(ours(), "Hello", "chat.example.com");
    const id = await claimProved(ours(), "chat.example.com");
    world.clear();

    await runJob(day);

    const lost = await look(ours(), id);
    expect(lost.at("customDomain")).toMatchObject({ state: "verified", servedUntil: expect.any(String) });
    expect(lost.text("customDomain.problem")).toContain("There is no TXT record");
    expect(await saidAt("chat.example.com")).toEqual(["bot: Hello"]);
    expect(await isAllowed("chat.example.com")).toBe(200);
    await runJob(limits.customDomains.graceDays * day);
    expect((await look(ours(), id)).at("customDomain.state")).toBe("failed");
    expect(await saidAt("chat.example.com")).toBe(302);
    expect(await isAllowed("chat.example.com")).toBe(404);
  });

  test("only active ADMINs get a mail about a missing proof", async () => {
    const mails: { to: readonly string[]; subject: string; text: string }[] = [];
    const mailer: Mailer = {
      async send({ to, subject, body }) {
        mails.push({ to, subject, text: "text" in body ? body.text : "" });
        return { kind: "sent" };
      },
    };
    const tools = { ...api.deps, mailer };
    const left = await api.makeUser();
    await api.deps
      .sql`insert into members (workspace_id, user_id, role) values (${workspaceId}, ${left.userId}, 'ADMIN')`;
    await api.deps.sql`update users set deactivated_at = clock() where id = ${left.userId}`;
    await claim(theirs(), "chat.example.com");
    await claimProved(ours(), "chat.example.com");
    await runJob(day, tools);
    expect(mails).toEqual([]);
    world.clear();

    for (let time = 0; time < 3; time++) await runJob(day, tools);
    await runJob(limits.customDomains.graceDays * day, tools);

    expect(mails.map(({ to, subject }) => ({ to, subject }))).toEqual([
      { to: [owner.email], subject: "The proof of chat.example.com is missing" },
      { to: [owner.email], subject: "Bots are no longer served at chat.example.com" },
    ]);
    expect(mails[0]?.text).toMatch(
      /There is no TXT record .*\n\nBots are served at chat\.example\.com until \d{4}-\d\d-\d\d \d\d:\d\d UTC/,
    );
    expect(mails[1]?.text).not.toContain("are served at chat.example.com until 2");
  });

  test("ADMINs get one mail about a domain that predates proofs and has none", async () => {
    const id = await claimProved(ours(), "chat.example.com");
    world.clear();
    // The state of a domain after the migration that introduced proofs.
    await api.deps.sql`
      update custom_domains
      set checked_at = null, verified_at = null, proved_by = null, unproved_since = clock(), next_check_at = clock()`;
    const told: string[] = [];
    const mailer: Mailer = {
      async send({ body }) {
        told.push("text" in body ? body.text : "");
        return { kind: "sent" };
      },
    };

    for (let time = 0; time < 3; time++) await runJob(day, { ...api.deps, mailer });

    expect(told).toHaveLength(1);
    expect(told[0]).toContain((await look(ours(), id)).text("customDomain.proof.record.value"));
  });

  test("a verified domain stays verified for as long as DNS servers fail", async () => {
    const id = await claimProved(ours(), "chat.example.com");
    world.dns.records.set("_parley.chat.example.com", "fails");

    await runJob(day);
    await runJob(60 * day);

    expect((await look(ours(), id)).at("customDomain")).toMatchObject({ state: "verified", servedUntil: null });
  });

  test("a scheduled check covers all claims, even beyond the batch size", async () => {
    for (let number = 0; number < 25; number++) await claim(ours(), `${number}.example.com`);
    await api.deps.sql`update custom_domains set next_check_at = clock() + interval '10 days' where name like '1%'`;

    expect(await runJob()).toBe("Checked 25");
  });

  test("a claim that is withdrawn during a look-up stays removed", async () => {
    const id = await claimWithProof(ours(), "chat.example.com");
    const [row] = await Promise.all([
      verify(ours(), id),
      api.client.delete(pathOf(ours(), `/${id}`), { token: owner.token }),
    ]);

    expect([200, 404]).toContain(row.status);
    expect((await look(ours(), id)).at("code")).toBe("custom_domain.not_found");
  });
});
