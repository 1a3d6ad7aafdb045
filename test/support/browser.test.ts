import { afterAll, expect } from "bun:test";
import { browserTests } from "./browser.ts";

const browserTest = browserTests();
const server = Bun.serve({
  hostname: "127.0.0.1",
  port: 0,
  fetch: () =>
    new Response(
      `<!doctype html><title>Here</title><img src="https://example.com/picture.png" alt="">
       <script>console.error("said"); setTimeout(() => { throw new Error("thrown") });</script>`,
      { headers: { "Content-Type": "text/html" } },
    ),
});
afterAll(() => server.stop(true));

browserTest(
  "a visit refuses other machines and notes what went wrong on its page",
  async ({ page, outside, problems }) => {
    const thrown = page.waitForEvent("pageerror");

    await page.goto(server.url.href);
    await thrown;

    expect(await page.title()).toBe("Here");
    expect(outside).toEqual(["https://example.com/picture.png"]);
    expect(problems).toContain("said");
    expect(problems).toContain("Error: thrown");
  },
);

browserTest(
  "a visit takes the options of a browser context",
  async ({ page, problems }) => {
    await page.goto(server.url.href);

    expect(await page.evaluate("innerWidth")).toBe(320);
    expect(problems).not.toContain("said");
  },
  { javaScriptEnabled: false, viewport: { width: 320, height: 600 } },
);
