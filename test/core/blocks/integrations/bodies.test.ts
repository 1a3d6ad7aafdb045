import { describe, expect, test } from "bun:test";
import { play } from "../one-block.ts";

const said = 'Ann "A." <b> & co;\nüber, 100%';
const variables = { N: said, L: ["a", '"b"'], E: null, K: "5" };
const url = "https://api.example.com/x";

function played(body: string, type?: string, name = "Content-Type", more: object = {}) {
  const headers = type === undefined ? [] : [{ id: "h", key: name, value: type }];
  const options = { isCustomBody: true, webhook: { url, method: "POST", body, headers }, ...more };
  return play({ block: { type: "Webhook", options }, variables }).asked;
}

function sent(...request: Parameters<typeof played>): string | undefined {
  const [effect] = played(...request).effects;
  return effect?.kind === "http" ? effect.body : undefined;
}

const json = '{"name":"{{N}}","tags":"{{L}}","list":{{L}},"n":{{K}}}';
const value = { name: said, tags: JSON.stringify(variables.L), list: variables.L, n: 5 };

describe("the content type of a JSON body", () => {
  test.each([
    undefined,
    "application/json",
    "application/vnd.api+json",
    "text/plain",
    "text/xml",
    "text/csv",
    "application/octet-stream",
  ])("a JSON body stays JSON with the type %p", (type) => {
    expect(JSON.parse(sent(json, type) ?? "")).toEqual(value);
  });

  test("values are escaped for JSON in a body that is a list, a string or an object", () => {
    expect(sent('["{{N}}"]', "text/plain")).toBe(JSON.stringify([said]));
    expect(sent('"{{N}}"', "text/plain")).toBe(JSON.stringify(said));
    expect(sent('{"n":{{K}}{{K}},"name":"{{N}}"}')).toBe(JSON.stringify({ n: 55, name: said }));
  });

  test.each(["Content-Type", "content-type", "CONTENT-TYPE"])(
    "a JSON body with a form type in the header %s is form-encoded once",
    (name) => {
      const form = sent('{"name":"{{N}}","n":1}', "application/x-www-form-urlencoded", name);

      expect([...new URLSearchParams(form)]).toEqual([
        ["name", said],
        ["n", "1"],
      ]);
    },
  );
});

describe("a text body", () => {
  test("each value of a form is encoded", () => {
    const form = sent("name={{N}}&list={{L}}&none={{E}}", "Application/X-WWW-Form-Urlencoded; charset=utf-8");

    expect([...new URLSearchParams(form)]).toEqual([
      ["name", said],
      ["list", '["a","\\"b\\""]'],
      ["none", ""],
    ]);
  });

  test.each(["text/xml", "application/xml; charset=utf-8", "application/soap+xml"])(
    "a body of the type %s has its values escaped for XML",
    (type) => {
      expect(sent("<n a='{{N}}'>it's</n>", type)).toBe(
        "<n a='Ann &quot;A.&quot; &lt;b&gt; &amp; co;\nüber, 100%'>it's</n>",
      );
      expect(sent("<n>{{Q}}</n>".replace("Q", "K"), type)).toBe("<n>5</n>");
    },
  );

  test("a value in CSV is quoted if it is a whole cell and needs quotes", () => {
    const cell = `"${said.replaceAll('"', '""')}"`;

    expect(sent("{{N}},{{K}};{{N}}\r\n{{N}}", "text/csv")).toBe(`${cell},5;${cell}\r\n${cell}`);
    expect(sent('"{{N}}",x {{N}}', "text/csv; header=present")).toBe(`"${said}",x ${said}`);
  });

  test.each([undefined, "text/plain", "text/html", "application/graphql", "multipart/form-data; boundary=x"])(
    "a body of the type %p contains values unchanged",
    (type) => {
      expect(sent("note: {{N}} {{L}}", type)).toBe(`note: ${said} ["a","\\"b\\""]`);
    },
  );

  test("values in newline-delimited JSON are escaped for JSON", () => {
    const lines = sent('{"a":"{{N}}"}\n{"a":"{{K}}"}', "application/x-ndjson") ?? "";
    const [first = "", second = ""] = lines.split("\n");

    expect([JSON.parse(first), JSON.parse(second)]).toEqual([{ a: said }, { a: "5" }]);
  });

  test("results of inline code are inserted into a form without encoding", () => {
    expect(sent("a={{=encodeURIComponent('&')=}}&b={{K}}", "application/x-www-form-urlencoded")).toBe("a=%26&b=5");
  });
});

test.each([undefined, "application/x-www-form-urlencoded", "text/xml", "text/csv"])(
  "a body of one reference is sent unencoded with the type %p",
  (type) => {
    expect(sent("{{N}}", type)).toBe(said);
  },
);

describe("a body that is invalid JSON with its values", () => {
  const broken = {
    description: expect.stringContaining("The body was not valid JSON after"),
    status: "warning",
    context: "Webhook",
  };

  test("a body that is invalid JSON is still sent, and the block logs the problem", () => {
    const { logs } = played('{"a":{{N}}}');

    expect(sent('{"a":{{E}}}')).toBe('{"a":}');
    expect(logs).toContainEqual(expect.objectContaining(broken));
    expect(played('{"a":"{{N}}"}').logs).not.toContainEqual(expect.objectContaining(broken));
    expect(played("a: {{N}}").logs).not.toContainEqual(expect.objectContaining(broken));
  });

  test("a body that is invalid JSON is logged even if the visitor's client sends it", () => {
    const { logs, actions } = played('{"a":{{N}}}', undefined, undefined, { isExecutedOnClient: true });

    expect(logs).toContainEqual(expect.objectContaining(broken));
    expect(actions.length).toBe(1);
  });
});

describe("an address with query parameters", () => {
  const queryParams = [{ id: "q", key: "q", value: "{{K}}" }];
  const addressOf = (address: string) => {
    const options = { webhook: { url: address, method: "GET", queryParams } };
    const [effect] = play({ block: { type: "Webhook", options }, variables: { ...variables, Q: "?a=1" } }).asked
      .effects;
    return effect?.kind === "http" ? effect.url : undefined;
  };

  test.each([
    ["https://x.example/p", "https://x.example/p?q=5"],
    ["https://x.example/p?", "https://x.example/p?q=5"],
    ["https://x.example/p?a=1", "https://x.example/p?a=1&q=5"],
    ["https://x.example/p?a=1&", "https://x.example/p?a=1&q=5"],
    ["https://x.example/p#f", "https://x.example/p?q=5#f"],
    ["https://x.example/p?a=1#f?b", "https://x.example/p?a=1&q=5#f?b"],
    ["https://x.example/p#f?b", "https://x.example/p?q=5#f?b"],
    ["https://x.example/p{{Q}}", "https://x.example/p?a=1&q=5"],
  ])("query parameters are appended to the address, before its fragment: %s", (address, expected) => {
    expect(addressOf(address)).toBe(expected);
  });
});
