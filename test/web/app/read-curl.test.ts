import { expect, test } from "bun:test";
import { isCurl, readCurl } from "../../../src/web/app/forms/layout/read-curl.ts";
import { curlOf } from "../../../src/web/app/request-trial/curl.ts";

const json = [
  { key: "Content-Type", value: "application/json" },
  { key: "Accept", value: "application/json" },
];
const form = [{ key: "Content-Type", value: "application/x-www-form-urlencoded" }];

test.each([
  ["curl example.com", { method: "GET", url: "http://example.com", headers: [], queryParams: [] }],
  [
    "$ curl -sSL -X PUT 'https://a.example/b?x=1&city=Le%20Mans' \\\n  -H 'X-Key: a:b' --header=\"Accept: */*\" -d a=1 --data-raw 'b={\"c\": \"it'\\''s\"}'",
    {
      method: "PUT",
      url: "https://a.example/b",
      headers: [{ key: "X-Key", value: "a:b" }, { key: "Accept", value: "*/*" }, ...form],
      queryParams: [
        { key: "x", value: "1" },
        { key: "city", value: "Le Mans" },
      ],
      body: `a=1&b={"c": "it's"}`,
    },
  ],
  [
    `curl --json '{"a":1}' -u ana:pa:ss https://a.example`,
    {
      method: "POST",
      url: "https://a.example",
      headers: [...json, { key: "Authorization", value: "Basic ana:pa:ss" }],
      queryParams: [],
      body: '{"a":1}',
    },
  ],
  [
    "curl -G https://a.example -d q=1 --data-urlencode 'r=a b'",
    {
      method: "GET",
      url: "https://a.example",
      headers: [],
      queryParams: [
        { key: "q", value: "1" },
        { key: "r", value: "a b" },
      ],
    },
  ],
  [
    "curl 'https://a.example/?flag&x=1' --compressed -o out.txt",
    { method: "GET", url: "https://a.example/?flag&x=1", headers: [], queryParams: [] },
  ],
  [
    "curl -XDELETE -I https://a.example/#top -b 'a=1'",
    { method: "DELETE", url: "https://a.example/", headers: [{ key: "Cookie", value: "a=1" }], queryParams: [] },
  ],
  [
    "curl --data-raw $'it\\'s\\u0020\\n{{Name}}' {{Address}}",
    { method: "POST", url: "{{Address}}", headers: form, queryParams: [], body: "it's \n{{Name}}" },
  ],
])("the command %j is parsed", (command, request) => {
  expect(isCurl(command)).toBe(true);
  expect(readCurl(command)).toEqual(request);
});

test("a curl command without an address is reported as noAddress", () => {
  expect(readCurl("curl -X POST")).toBe("noAddress");
  expect(readCurl("curl ")).toBe("noAddress");
  expect(readCurl("curl 'https://a.example")).toMatchObject({ url: "https://a.example" });
  expect(readCurl("curl https://a.example -d")).toMatchObject({ method: "POST", body: "" });
  expect(isCurl("curly https://a.example")).toBe(false);
  expect(isCurl("https://a.example/curl x")).toBe(false);
});

test.each([
  "-F a=@b.png",
  "-sF a=b",
  "--form-string a=b",
  "-T b.txt",
  "-d @b.json",
  "--json @b.json",
  "--data-urlencode a@b",
])("a command that sends files or form data by %s is rejected", (flag) => {
  expect(readCurl(`curl ${flag} https://a.example`)).toBe("files");
});

test("curl data with an at sign is text if its flag cannot read files", () => {
  expect(readCurl("curl --data-raw @b https://a.example")).toMatchObject({ body: "@b" });
  expect(readCurl("curl --data-urlencode a=@b https://a.example")).toMatchObject({ body: "a=%40b" });
});

test("the value of an unknown curl flag is not mistaken for the address", () => {
  expect(readCurl("curl --speed-limit 5 https://a.example/b")).toMatchObject({ url: "https://a.example/b" });
  expect(readCurl("curl --speed-limit 5 {{Address}}")).toMatchObject({ url: "{{Address}}" });
  expect(readCurl("curl --max-redirs 5 a.example")).toMatchObject({ url: "http://a.example" });
});

test("the curl command that a trial prints is parsed back to the same request", () => {
  const request = {
    method: "POST",
    url: "https://a.example/b",
    headers: [{ key: "Content-Type", value: "text/plain" }],
    body: 'it\'s {"a": 1}\n\\ $x',
  };
  const printed = curlOf({ ...request, headers: request.headers.map(({ key, value }) => ({ name: key, value })) });
  expect(readCurl(printed)).toEqual({ ...request, queryParams: [] });
});
