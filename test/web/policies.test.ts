import { expect, test } from "bun:test";
import { readConfig } from "../../src/config.ts";
import { chatSource } from "../../src/web/server/app-page.ts";
import { headElements } from "../../src/web/server/document/head-code.ts";
import { contentSecurityPolicy } from "../../src/web/server/security.ts";

test("only origins are accepted as pages that may frame a chat, and other text does not get into the policy", () => {
  const allowedOrigins = ["https://shop.example", "https://x.example; script-src *", "'unsafe-inline'"];
  const policy = contentSecurityPolicy({
    nonce: "n",
    theme: {},
    isSecure: true,
    allowedOrigins,
    isSandboxed: false,
  });

  expect(policy.split("; ").at(-1)).toBe("frame-ancestors 'self' https://shop.example");
});

test("origins that a flow calls over http are added to the connections that a page's policy permits, and other text is not", () => {
  const rules = { nonce: "n", theme: {}, allowedOrigins: null, isSandboxed: false };
  const calls = (httpOrigins: readonly string[], isSecure = false) =>
    contentSecurityPolicy({ ...rules, isSecure, httpOrigins })
      .split("; ")
      .find((part) => part.startsWith("connect-src"));

  expect(calls([])).toBe("connect-src 'self' https: wss:");
  expect(calls(["http://a.example:4000", "http://b.example; script-src *"], true)).toBe(
    "connect-src 'self' https: wss: http://a.example:4000",
  );
});

test("elements of an author's head code are in the served page without their scripts", async () => {
  const found = await headElements(
    '<meta name="a" content="b" onload="steal()"><link rel="me" href="/x" ONERROR="steal()">',
  );

  expect(found.map(({ attributes }) => attributes)).toEqual([
    { name: "a", content: "b" },
    { rel: "me", href: "/x" },
  ]);
});

test("chats at another port of the builder's host are in the policy under that host, and invalid hosts are not", () => {
  const sourceAt = (host: string) => chatSource({ config: readConfig({}) }, { host: () => host });

  expect(["localhost:3000", "bots.example", "[::1]:3000"].map(sourceAt)).toEqual([
    "'self' http://localhost:*",
    "'self' http://bots.example:*",
    "'self' http://[::1]:*",
  ]);
  for (const host of ["", "x; script-src *", "x y", "*", "x,y", "user@x", "[::1];", "x'"]) {
    expect(sourceAt(host)).toBe("'self'");
  }
});
