import { expect, test } from "bun:test";
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
