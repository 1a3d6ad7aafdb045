import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { createTestApi, type TestApi, type TestUser } from "../support/api.ts";
import { asks, flowOf, nameAndEmail, publish, says } from "../support/chat.ts";
import { createThreads, type Threads } from "../support/threads.ts";
import { visitor } from "../support/web-page.ts";

let api: TestApi;
let threads: Threads;
let owner: TestUser;
let workspaceId: string;

beforeAll(async () => {
  threads = createThreads({ count: 1 });
  api = await createTestApi({ threads });
  owner = await api.makeUser();
  workspaceId = await api.makeWorkspace(owner);
});
afterAll(async () => {
  await threads.close();
  await api.close();
});

const published = (flow: object) => publish(api.client, { token: owner.token, workspaceId }, flow);

async function changed(flow: object, change: object): Promise<string> {
  const { botId, publicId } = await published(flow);
  await api.client.patch(`/api/v1/bots/${botId}`, { token: owner.token, body: { bot: change } });
  return publicId;
}

async function storedRows(): Promise<number> {
  const [row] = await api.deps.sql<{ rows: number }[]>`
    select (select count(*) from sessions) + (select count(*) from results) + (select count(*) from steps)
      + (select count(*) from outbox) as rows`;
  return Number(row?.rows);
}

describe("the page of a bot", () => {
  test("the page of a bot has the first messages and the open input in its HTML", async () => {
    const { publicId } = await published(nameAndEmail);

    const page = await visitor(api).visit(`/${publicId}`);

    expect(page.status).toBe(200);
    expect(page.said).toEqual(["bot: Your name?"]);
    expect(page.form?.fields).toEqual([{ name: "text", type: "text", value: "" }]);
  });

  test("the page of a bot stores nothing when it is requested three times", async () => {
    const { publicId } = await published(nameAndEmail);
    const before = await storedRows();

    for (const path of [`/${publicId}`, `/${publicId}?Name=Ana`, `/${publicId}`]) await visitor(api).visit(path);

    expect(await storedRows()).toBe(before);
  });

  test("the page of a bot stops before an effect with a button to continue", async () => {
    const calls: string[] = [];
    using server = Bun.serve({
      port: 0,
      hostname: "127.0.0.1",
      fetch: (request) => {
        calls.push(request.url);
        return Response.json({});
      },
    });
    const { publicId } = await published(
      flowOf([
        says("Before"),
        { id: "call", type: "Webhook", options: { webhook: { url: server.url.href } } },
        says("After"),
        asks("text input"),
      ]),
    );

    const page = await visitor(api).visit(`/${publicId}`);

    expect(page.said).toEqual(["bot: Before"]);
    expect(page.form?.buttons.map(({ label }) => label)).toEqual(["Continue"]);
    expect(calls).toEqual([]);
    const next = await visitor(api).post(page);
    expect(next.said).toEqual(["bot: Before", "bot: After"]);
  });

  test("the page of a bot follows a link to the flow of another bot", async () => {
    const { botId } = await published(flowOf([says("From the other one"), asks("text input")]));
    const link = { id: "link", type: "Typebot link", options: { typebotId: botId } };
    const { publicId } = await published(flowOf([says("Here"), link]));

    const page = await visitor(api).visit(`/${publicId}`);

    expect(page.said).toEqual(["bot: Here", "bot: From the other one"]);
  });

  test("the page of a bot fills variables from its address", async () => {
    const { publicId } = await published(flowOf([says("Hello {{Name}}"), asks("email input"), says("{{Name}}!")]));
    const browser = visitor(api);

    const page = await browser.visit(`/${publicId}?Name=Ana%20Luz&unknown=1&__proto__=x`);

    expect(page.said).toEqual(["bot: Hello Ana Luz"]);
    expect(page.form?.action).toBe(`/${publicId}#last-answer`);
    const next = await browser.post(page, { text: "a@example.com" });
    expect(next.said.at(-1)).toBe("bot: Ana Luz!");
  });

  test("the page of a bot has the metadata that its author configured", async () => {
    const { publicId } = await published({
      ...flowOf([says("Hello")]),
      settings: {
        general: { language: "ar" },
        metadata: {
          title: "A <title> & more",
          description: "What it is",
          imageUrl: "https://example.com/a.png",
          favIconUrl: "https://example.com/i.png",
          allowIndexing: false,
          customHeadCode:
            '<meta name="verify" content="me"><script>alert(1)</script><meta http-equiv="refresh" content="0">',
        },
      },
    });

    const { html } = await visitor(api).visit(`/${publicId}`);
    const head = html.slice(0, html.indexOf("<body"));

    expect(head).toContain("<title>A &lt;title> &amp; more</title>");
    expect(head).toContain('<html lang="ar" dir="rtl"');
    expect(head).toContain('<meta name="description" content="What it is"/>');
    expect(head).toContain('<meta property="og:image" content="https://example.com/a.png"/>');
    expect(head).toContain('<meta name="twitter:card" content="summary_large_image"/>');
    expect(head).toContain('<link rel="icon" href="https://example.com/i.png"/>');
    expect(head).toContain('<meta name="robots" content="noindex"/>');
    expect(head).toContain('<meta name="verify" content="me"/>');
    expect(head).not.toContain("alert(1)");
    expect(head).not.toContain("http-equiv");
  });

  test("the page of a bot is described by the bot's name and first text", async () => {
    const first = {
      type: "p",
      children: [{ text: `We plan journeys\nfor two. ${"Much more is to be said. ".repeat(20)}` }],
    };
    const text = { id: "t", type: "text", content: { richText: [first] } };
    const publicId = await changed(flowOf([text, asks("text input")]), {
      name: "Journeys",
      publicId: "Plan-A-Journey",
    });

    const { html, ...page } = await visitor(api).visit("/plan-a-journey?Name=Ana");
    const next = await visitor(api).post({ html, ...page }, { text: "Yes" });

    expect(publicId).not.toBe("");
    const description = /<meta name="description" content="([^"]*)"/.exec(html)?.[1] ?? "";
    expect(description).toStartWith("We plan journeys for two. Much more");
    expect(description).toEndWith("to be…");
    expect(description.length).toBeLessThanOrEqual(201);
    expect(html).toContain("<title>Journeys</title>");
    expect(html).toContain('<h1 class="visually-hidden">Journeys</h1>');
    expect(html).toContain('<meta property="og:title" content="Journeys"/>');
    expect(html).toContain(`<meta property="og:description" content="${description}"/>`);
    // The address does not depend on how the page was reached.
    expect(html).toContain('<link rel="canonical" href="http://localhost/Plan-A-Journey"/>');
    expect(html).toContain('<meta property="og:url" content="http://localhost/Plan-A-Journey"/>');
    // Link previews show the bot's icon in a small size.
    expect(html).toContain('<meta property="og:image" content="http://localhost/Plan-A-Journey/icon-512.png"/>');
    expect(html).toContain('<meta name="twitter:card" content="summary"/>');
    // Search engines must not find chats.
    expect(next.html).toContain("<title>Journeys</title>");
    expect(next.html).toContain('content="noindex"');
    expect(next.html).not.toContain("canonical");
  });

  test.each([
    [{ general: { background: { type: "Color", content: "rgb(16, 24, 40)" } } }, "#101828"],
    [{}, "#f8f8f8"],
    [{ general: { background: { type: "Image", content: "https://example.com/a.png" } } }, undefined],
  ])("the page of a bot passes its background colour, if any, to phones: %j", async (theme, color) => {
    const { publicId } = await published({ ...flowOf([says("Hello")]), theme });

    const { html } = await visitor(api).visit(`/${publicId}`);

    expect(/<meta name="theme-color" content="([^"]*)"/.exec(html)?.[1]).toBe(color);
  });

  test("the page of a bot renders markup in texts as text", async () => {
    const hostile = '</script><img src=x onerror="alert(1)">';
    const link = { type: "a", url: "javascript:alert(1)", children: [{ text: "press" }] };
    const { publicId } = await published(
      flowOf([
        { id: "t", type: "text", content: { richText: [{ type: "p", children: [{ text: hostile }, link] }] } },
        { id: "i", type: "image", content: { url: "javascript:alert(1)" } },
        asks("text input", { labels: { placeholder: hostile } }),
      ]),
    );
    const browser = visitor(api);

    const page = await browser.visit(`/${publicId}`);
    const next = await browser.post(page, { text: hostile });

    for (const { html } of [page, next]) {
      expect(html).not.toContain("<img src=x");
      expect(html).not.toContain('href="javascript:');
      expect(html.match(/<script/g)).toHaveLength(2);
    }
  });

  test("the page of a bot runs only code with its one-time token", async () => {
    const { publicId } = await published({
      ...flowOf([says("Hello")]),
      theme: { general: { font: { type: "Google", family: "Lato" } }, customCss: "</style><script>alert(1)</script>" },
    });

    const first = await visitor(api).visit(`/${publicId}`);
    const second = await visitor(api).visit(`/${publicId}`);
    const policy = first.headers.get("content-security-policy") ?? "";

    const nonce = /'nonce-([^']+)'/.exec(policy)?.[1] ?? "";
    expect(policy).not.toMatch(/unsafe-/);
    expect(policy).toContain(`style-src 'self' 'nonce-${nonce}' https://fonts.bunny.net;`);
    expect(first.html).toContain(`<script type="module" nonce="${nonce}"`);
    expect(first.html).not.toContain("</style><script>");
    expect(second.headers.get("content-security-policy")).not.toContain(nonce);
    expect(first.html).not.toContain(" style=");
  });

  test("the page of a bot may be framed by the allowed origins", async () => {
    const { publicId: open } = await published(flowOf([says("Hello")]));
    const { publicId: closed } = await published({
      ...flowOf([says("Hello")]),
      settings: { security: { allowedOrigins: ["https://shop.example.com", "nonsense; script-src *"] } },
    });

    const policies = await Promise.all(
      [open, closed].map(async (id) => (await visitor(api).visit(`/${id}`)).headers.get("content-security-policy")),
    );

    expect(policies[0]).not.toContain("frame-ancestors");
    expect(policies[1]).toContain("frame-ancestors 'self' https://shop.example.com");
    expect(policies[1]).not.toContain("nonsense");
  });

  test("the page of a bot accepts http pictures only if it uses http", async () => {
    const secure = await createTestApi({ threads, config: { CHAT_URL: "https://chats.example" } });
    const author = await secure.makeUser();
    const place = { token: author.token, workspaceId: await secure.makeWorkspace(author) };
    const rulesOf = async (on: TestApi, publicId: string) => {
      const policy = (await visitor(on).visit(`/${publicId}`)).headers.get("content-security-policy") ?? "";
      return policy.match(/(?:frame|img|media)-src [^;]*/g);
    };

    expect(await rulesOf(api, (await published(nameAndEmail)).publicId)).toEqual([
      "img-src 'self' https: http: data: blob:",
      "media-src 'self' https: http: data: blob:",
      "frame-src 'self' https: http:",
    ]);
    expect(await rulesOf(secure, (await publish(secure.client, place, nameAndEmail)).publicId)).toEqual([
      "img-src 'self' https: data: blob:",
      "media-src 'self' https: data: blob:",
      "frame-src 'self' https:",
    ]);
    await secure.close();
  });

  test("the page of a bot loads a compressed, permanently cached script", async () => {
    const { publicId } = await published(flowOf([says("Hello")]));
    const { html } = await visitor(api).visit(`/${publicId}`);
    const files = [...html.matchAll(/(?:src|href)="(\/assets\/[^"]+)"/g)].map(([, path]) => path ?? "");
    const sizes = [];
    for (const file of files) {
      const request = new Request(`http://localhost${file}`, { headers: { "accept-encoding": "gzip, br" } });
      const response = await api.handle(request);
      expect(response.headers.get("content-encoding")).toBe("br");
      expect(response.headers.get("cache-control")).toBe("public, max-age=31536000, immutable");
      expect(response.headers.get("access-control-allow-origin")).toBe("*");
      sizes.push((await response.bytes()).byteLength);
    }

    expect(files).toHaveLength(1);
    expect(html).toContain(".typebot-host-bubble{");
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(30_000);
    expect((await api.handle(new Request("http://localhost/assets/chat/other.js"))).status).toBe(404);
  });

  test("the page of a bot is served at the bot's custom domain", async () => {
    const flow = flowOf([says("At home"), asks("text input"), says("Good")]);
    await changed(flow, { customDomain: "chat.example.com" });
    await changed(flowOf([says("Elsewhere")]), { customDomain: "chat.example.com/other" });
    await api.deps.sql`update custom_domains set state = 'verified' where name = 'chat.example.com'`;
    const browser = visitor(api, { host: "chat.example.com" });

    const page = await browser.visit("/");

    expect(page.said).toEqual(["bot: At home"]);
    expect(page.html).toContain('<link rel="canonical" href="http://chat.example.com/"/>');
    expect((await browser.post(page, { text: "x" })).said.at(-1)).toBe("bot: Good");
    expect((await browser.visit("/other")).said).toEqual(["bot: Elsewhere"]);
    expect((await browser.visit("/nothing")).status).toBe(404);
    expect((await visitor(api).visit("/")).status).toBe(302);
  });
});

describe("an address without a chat", () => {
  test("a closed bot shows its author's message", async () => {
    const flow = {
      ...flowOf([says("Hello")]),
      settings: { general: { systemMessages: { botClosed: "Back on Monday" } } },
    };
    const publicId = await changed(flow, { isClosed: true });

    const page = await visitor(api).visit(`/${publicId}`);

    expect({ status: page.status, remarks: page.remarks }).toEqual({ status: 403, remarks: ["Back on Monday"] });
  });

  test("an address without a bot returns a page to browsers and JSON to others", async () => {
    const page = await visitor(api).visit("/no-such-bot");
    const answer = await api.handle(new Request("http://localhost/no-such-bot"));

    expect({ status: page.status, remarks: page.remarks }).toEqual({ status: 404, remarks: ["There is no bot here"] });
    expect(page.html).toContain('content="noindex"');
    expect(await answer.json()).toMatchObject({ code: "bot.not_found", status: 404 });
  });

  test("an unavailable database causes an error page for browsers and JSON for others", async () => {
    const down = await createTestApi();
    await down.deps.sql.end();

    const page = await visitor(down).visit("/a-bot");
    const answer = await down.handle(new Request("http://localhost/a-bot"));

    expect({ status: page.status, remarks: page.remarks }).toEqual({
      status: 503,
      remarks: ["This bot cannot be reached right now"],
    });
    expect(page.headers.get("retry-after")).not.toBeNull();
    expect(await answer.json()).toMatchObject({ code: "server.unavailable", status: 503 });
    await down.close();
  });

  test("reserved names have no page", async () => {
    for (const path of ["/api", "/admin", "/.env", "/.env/manifest.webmanifest"]) {
      expect((await api.handle(new Request(`http://localhost${path}`))).status).toBe(404);
    }
  });
});
