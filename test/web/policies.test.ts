import { expect, test } from "bun:test";
import { readConfig } from "../../src/config.ts";
import { chatSource } from "../../src/web/server/app-page.ts";
import { headElements } from "../../src/web/server/document/head-code.ts";
import { contentSecurityPolicy } from "../../src/web/server/security.ts";

test("only origins are named as pages that may frame a chat: nothing else gets into its policy", () => {
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

test("origins that a flow calls over http are added to those that a page may call, which stay unchanged", () => {
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

test("elements of an author's head code come into the served page without their scripts", async () => {
  const found = await headElements(
    '<meta name="a" content="b" onload="steal()"><link rel="me" href="/x" ONERROR="steal()">',
  );

  expect(found.map(({ attributes }) => attributes)).toEqual([
    { name: "a", content: "b" },
    { rel: "me", href: "/x" },
  ]);
});

test("chats at another port of the builder's host are in its policy by that host, and invalid ones are not", () => {
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
