import { expect, test } from "bun:test";
import { readConfig } from "../../src/config.ts";
import { chatSource } from "../../src/web/server/app-page.ts";
import { headElements } from "../../src/web/server/document/head-code.ts";
import { contentSecurityPolicy } from "../../src/web/server/security.ts";

test("only valid origins may frame a chat", () => {
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

test("a page's policy permits the http origins that its flow calls", () => {
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

test("elements of an author's head code are served without scripts", async () => {
  const found = await headElements(
    '<meta name="a" content="b" onload="steal()"><link rel="me" href="/x" ONERROR="steal()">',
  );

  expect(found.map(({ attributes }) => attributes)).toEqual([
    { name: "a", content: "b" },
    { rel: "me", href: "/x" },
  ]);
});

test("the policy permits chats at another port of the builder's host", () => {
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
