import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { createSafeFetch } from "../../../src/effects/safe-fetch/safe-fetch.ts";
import { findProof } from "../../../src/management/domains/domain-proof.ts";
import type { DnsAnswerer } from "../../support/dns-answerer.ts";
import { type DomainWorld, startDomainWorld } from "../../support/domain-world.ts";

const domain = { name: "chat.example.com", proof: "0123456789abcdef", workspaceId: "w" };
const recordName = "_parley.chat.example.com";
const proof = "parley-domain=0123456789abcdef";

let world: DomainWorld;
let dns: DnsAnswerer;

beforeAll(async () => {
  world = await startDomainWorld();
  ({ dns } = world);
});
beforeEach(() => world.clear());
afterAll(() => world.close());

const find = () => findProof(world, domain);

describe("the proof in DNS", () => {
  test("the proof in DNS is found among other TXT records", async () => {
    dns.records.set(recordName, ["v=spf1 -all", proof, "x".repeat(400)]);

    expect(await find()).toEqual({ kind: "proved", provedBy: "dns" });
    expect(dns.asked).toEqual([recordName]);
    expect(world.requests).toEqual([]);
  });

  test.each([
    ["of another workspace", "parley-domain=ffffffffffffffff"],
    ["with an additional character", `${proof}0`],
    ["without the prefix `parley-domain=`", "0123456789abcdef"],
    ["in capital letters", proof.toUpperCase()],
  ])("a TXT record %s is not accepted as the proof in DNS", async (_what, text) => {
    dns.records.set(recordName, [text]);

    const finding = await find();

    expect(finding).toMatchObject({ kind: "unproved" });
    expect(finding).toHaveProperty(
      "problem",
      expect.stringContaining(`The TXT record ${recordName} has another value`),
    );
  });

  test("the proof in DNS is not accepted at the domain itself or at a parent domain", async () => {
    dns.records.set("chat.example.com", [proof]);
    dns.records.set("_parley.example.com", [proof]);

    expect(await find()).toMatchObject({ kind: "unproved" });
  });

  test.each(["fails", "is silent"] as const)(
    "the proof in DNS is not considered missing while the server %s",
    async (state) => {
      dns.records.set(recordName, state);

      const finding = await find();

      expect(finding).toMatchObject({ kind: "unknown" });
      expect(finding).toHaveProperty("problem", expect.stringContaining("could not be looked up"));
    },
  );
});

describe("the proof in a file", () => {
  test("the proof in a file can be any line of the file", async () => {
    world.files.set("/.well-known/parley-domain", { text: `parley-domain=another\r\n ${proof} \r\n` });

    expect(await find()).toEqual({ kind: "proved", provedBy: "file" });
    expect(world.requests).toEqual(["http://chat.example.com/.well-known/parley-domain"]);
  });

  test("the proof in a file counts even if DNS is unavailable", async () => {
    dns.records.set(recordName, "fails");
    world.files.set("/.well-known/parley-domain", { text: proof });

    expect(await find()).toEqual({ kind: "proved", provedBy: "file" });
  });

  test.each([
    ["within a page", { text: `<p>${proof}</p>` }, "has other content"],
    ["with status 404", { text: proof, status: 404 }, "answers with status 404"],
    ["after 8 kB of other lines", { text: `${"x\n".repeat(4_096)}${proof}` }, "has other content"],
  ])("the proof in a file is not accepted %s", async (_what, file, problem) => {
    world.files.set("/.well-known/parley-domain", file);

    const finding = await find();

    expect(finding).toMatchObject({ kind: "unproved" });
    expect(finding).toHaveProperty(
      "problem",
      expect.stringContaining(`http://chat.example.com/.well-known/parley-domain ${problem}`),
    );
  });

  test("the proof in a file is not looked up at the target of a redirect", async () => {
    world.files.set("/.well-known/parley-domain", {
      text: "",
      status: 302,
      location: "http://elsewhere.example/proof",
    });
    world.files.set("/proof", { text: proof });

    expect(await find()).toMatchObject({ kind: "unproved", problem: expect.stringContaining("redirect (302)") });
    expect(world.requests.some((url) => url.includes("elsewhere"))).toBe(false);
  });

  test("the proof in a file is not looked up at a private address", async () => {
    const safeFetch = createSafeFetch({ resolve: async () => [{ address: "10.0.0.7", family: 4 }] });

    const finding = await findProof({ ...world, safeFetch }, domain);

    expect(finding).toMatchObject({ kind: "unproved" });
    expect(finding).toHaveProperty("problem", expect.stringContaining("cannot be called"));
  });
});
