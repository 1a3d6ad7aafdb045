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

browserTest("a visit blocks other hosts and records errors of its page", async ({ page, outside, problems }) => {
  const thrown = page.waitForEvent("pageerror");

  await page.goto(server.url.href);
  await thrown;

  expect(await page.title()).toBe("Here");
  expect(outside).toEqual(["https://example.com/picture.png"]);
  expect(problems).toContain("said");
  expect(problems).toContain("Error: thrown");
});

browserTest("pages, workers and sockets of a visit reach no other host", async ({ page, context, outside }) => {
  const addresses = ["https://name.example/", "http://192.0.2.1/", "http://[2001:db8::1]/", "http://0.0.0.0/"];
  const sockets = ["wss://socket.example/", "ws://192.0.2.1/"];
  const worker = `fetch("https://worker.example/").catch(() => postMessage("refused"))`;
  await page.goto(server.url.href);

  const refused = await page.evaluate(
    async ({ addresses, sockets, worker }) => {
      const answers = addresses.map((address) =>
        fetch(address, { mode: "no-cors" }).then(
          () => address,
          () => "refused",
        ),
      );
      const opened = sockets.map((address) => {
        const socket = new WebSocket(address);
        return new Promise((resolve) => {
          socket.onopen = () => resolve(address);
          socket.onerror = () => resolve("refused");
        });
      });
      const work = new Worker(URL.createObjectURL(new Blob([worker])));
      const worked = new Promise((resolve) => {
        work.onmessage = ({ data }) => resolve(data);
      });
      return await Promise.all([...answers, ...opened, worked]);
    },
    { addresses, sockets, worker },
  );
  const other = await context.newPage();
  await expect(other.goto("https://page.example/")).rejects.toThrow("ERR_INTERNET_DISCONNECTED");

  expect(new Set(refused)).toEqual(new Set(["refused"]));
  expect(outside.toSorted()).toEqual(
    [
      "https://example.com/picture.png",
      ...addresses,
      ...sockets,
      "https://worker.example/",
      "https://page.example/",
    ].toSorted(),
  );
});

browserTest(
  "a visit accepts the options of a browser context",
  async ({ page, problems }) => {
    await page.goto(server.url.href);

    expect(await page.evaluate("innerWidth")).toBe(320);
    expect(problems).not.toContain("said");
  },
  { javaScriptEnabled: false, viewport: { width: 320, height: 600 } },
);
