import { gzipSync } from "node:zlib";
import type { Dice } from "./dice.ts";
import { bytesOf, type Draft, encoded, knownMethods } from "./draft.ts";
import { mutated, oddNumbers, oddText, writeJson } from "./odd-values.ts";
import { foreignIdNames, type World } from "./world.ts";

/** A mutated request, and whether it still belongs to its operation. */
export type Mutated = { readonly draft: Draft; readonly isAimed: boolean };

type Place = { readonly dice: Dice; readonly world: World; readonly value: unknown };

/** Applies up to three mutations to a request, but often none. */
export function mutateRequest(draft: Draft, place: Place): Mutated {
  const { dice } = place;
  const count = dice.pick([0, 0, 0, 1, 1, 1, 1, 2, 3]);
  let changed: Mutated = { draft, isAimed: true };
  for (let done = 0; done < count; done++) {
    const next = mutateOnce(changed.draft, place);
    changed = { draft: next.draft, isAimed: changed.isAimed && next.isAimed };
  }
  return changed;
}

function mutateOnce(draft: Draft, place: Place): Mutated {
  const { dice } = place;
  if (draft.body && dice.oneIn(2)) {
    const body = dice.oneIn(4) ? oddBody(draft, dice) : { body: bytesOf(writeJson(mutated(place.value, dice))) };
    return { draft: { ...draft, ...body }, isAimed: true };
  }
  switch (dice.below(10)) {
    case 0:
    case 1:
      return { draft: { ...draft, path: oddPath(draft.path, dice) }, isAimed: false };
    case 2:
      return { draft: { ...draft, ...withForeignId(draft, place) }, isAimed: true };
    case 3:
    case 4:
      return { draft: { ...draft, query: oddQuery(draft.query, dice) }, isAimed: true };
    case 5:
      return { draft: { ...draft, method: oddMethod(dice) }, isAimed: false };
    case 6:
      return { draft: { ...draft, host: oddHost(dice) }, isAimed: false };
    case 7:
      return { draft: { ...draft, headers: withToken(draft.headers, place) }, isAimed: true };
    default:
      return { draft: { ...draft, headers: [...draft.headers, oddHeader(dice)] }, isAimed: true };
  }
}

function oddPath(path: string, dice: Dice): string {
  const segments = path.split("/");
  const at = 1 + dice.below(Math.max(1, segments.length - 1));
  const odd = encodeURIComponent(oddText(dice).slice(0, 3_000).toWellFormed());
  switch (dice.below(9)) {
    case 0:
      return `${path}/`;
    case 1:
      return `${path}/${odd}`;
    case 2:
      return `/${path}`;
    case 3:
      return segments.toSpliced(at, 1).join("/") || "/";
    case 4:
      return segments
        .with(at, dice.pick(["..", ".", "%2e%2e", "%2F", "%00", "%ff", "%", "%u0041", "a;b=c", "*"]))
        .join("/");
    case 5:
      return segments.with(at, (segments[at] ?? "").toUpperCase()).join("/");
    case 6:
      // Inserts text that may be forbidden in a request line.
      return segments.with(at, oddText(dice).slice(0, 50)).join("/");
    default:
      return segments.with(at, odd).join("/");
  }
}

function withForeignId(draft: Draft, { dice, world }: Place): Pick<Draft, "path" | "query" | "body"> {
  const swap = new Map(foreignIdNames.map((name) => [world.ids[name] ?? "", world.foreign[name] ?? ""]));
  const swapped = (text: string) => (dice.oneIn(2) ? (swap.get(text) ?? text) : text);
  return {
    path: draft.path.split("/").map(swapped).join("/"),
    query: draft.query.map(([name, value]) => [name, swapped(value)] as const),
    body:
      draft.body &&
      bytesOf(
        Buffer.from(draft.body)
          .toString("utf8")
          .replaceAll(/"(\w{26})"/g, (_, id) => `"${swapped(id)}"`),
      ),
  };
}

function oddQuery(query: Draft["query"], dice: Dice): Draft["query"] {
  const [name = "limit"] = dice.pick(query) ?? [];
  const given = dice.pick([
    name,
    name,
    "limit",
    "cursor",
    "timeZone",
    "timeFilter",
    "workspaceId",
    "all",
    oddText(dice),
  ]);
  const value = dice.oneIn(3) ? dice.pick(oddNumbers) : oddText(dice).slice(0, 3_000);
  switch (dice.below(4)) {
    case 0:
      return [...query, [given, value], [given, value]];
    case 1:
      return Array.from({ length: 400 }, (_, index) => [`${encoded(name)}${index % 3}`, "1"] as const);
    default:
      return [...query.filter(([other]) => other !== given), [given, value]];
  }
}

function oddMethod(dice: Dice): string {
  return dice.oneIn(3)
    ? dice.pick(["FOO", "TRACE", "CONNECT", "get", "PROPFIND", "PATCH2", "-"])
    : dice.pick(knownMethods);
}

function oddHost(dice: Dice): string {
  return dice.pick([
    ...([
      "x",
      "abc",
      "LOCALHOST",
      "localhost:1",
      "[::1]",
      "example.com.",
      "xn--nxasmq6b.example",
      "1.2.3.4:99999",
    ] as const),
    ...(["", " ", "a b", "a/b", "@", "a@b", "a?b", "a#b", "..", "%00", "[", "é", "x".repeat(300), "a,b"] as const),
  ]);
}

function withToken(headers: Draft["headers"], { dice, world }: Place): Draft["headers"] {
  const others = headers.filter(([name]) => name !== "Authorization");
  const given = dice.pick([
    undefined,
    `Bearer ${world.tokens.read}`,
    `bearer   ${world.tokens.write}  `,
    "Bearer parley_3vJq0m8Zk1XcT5bW9yR2uLhE7dNfSaGpQoViCxMzB4k",
    "Basic YTpi",
    "Bearer",
    `Bearer ${oddText(dice).slice(0, 3_000)}`,
  ]);
  return given === undefined ? others : [...others, ["Authorization", given]];
}

const oddHeaders: readonly [readonly [string, ...string[]], ...(readonly [string, ...string[]])[]] = [
  [
    "Content-Type",
    "text/plain",
    "application/json; charset=utf-16",
    "application/xml",
    "multipart/form-data",
    "",
    "a/b;c",
  ],
  ["Accept", "text/html", "*/*", "application/xml", "", "text/html;q=abc"],
  ["Accept-Encoding", "gzip", "br;q=1, *;q=0", "zstd", "identity;q=0", ""],
  ["Accept-Language", "de", "ar,en;q=0.5", "x".repeat(500), "*", "de-DE-1996;q=9"],
  ["Idempotency-Key", "", "a", "key of blanks", "x".repeat(255), "x".repeat(300), "0123456789abcdef"],
  ["X-Request-Id", "", "x".repeat(2_000), "a b", "<script>", "8f14e45f-ceea-467f-a0e6-3b5a4f1c2d77"],
  ["X-Forwarded-For", "203.0.113.9", "::1", "unknown", ",,,", "127.0.0.1, 127.0.0.1", "999.1.1.1"],
  ["X-Forwarded-Host", "evil.example", "", "a b"],
  ["X-Forwarded-Proto", "https", "javascript"],
  ["Origin", "null", "https://evil.example", "", "https://", "https://ä.example"],
  ["Referer", "https://evil.example/", "nothing"],
  ["X-Typebot-Iframe-Referrer-Origin", "https://evil.example", "null", "//"],
  ["Cookie", "a", "=;=", "session=1; session=2", `chat=${"x".repeat(3_000)}`, "%zz=%zz"],
  ["Range", "bytes=0-0", "bytes=5-2", "bytes=-99999999999999999999", "bytes=0-1,3-4", "lines=1-2"],
  ["If-None-Match", "*", '"a"', "W/"],
  ["If-Modified-Since", "yesterday", "Thu, 01 Jan 1970 00:00:00 GMT"],
  ["Parley-Hops", "5", "-1", "99999999999", "1;a", "NaN"],
  ["Expect", "100-continue"],
  ["Connection", "close", "keep-alive, Upgrade"],
  ["Upgrade", "websocket", "h2c"],
  ["Sec-Fetch-Site", "cross-site", "none"],
  ["X-HTTP-Method-Override", "DELETE"],
  ["__proto__", "a"],
];

function oddHeader(dice: Dice): readonly [string, string] {
  const [name, ...values] = dice.pick(oddHeaders);
  return [name, dice.oneIn(6) ? oddText(dice).slice(0, 2_000) : (dice.pick(values) ?? "")];
}

function oddBody(draft: Draft, dice: Dice): Pick<Draft, "body" | "headers"> {
  const body = draft.body ?? new Uint8Array();
  const others = draft.headers.filter(([name]) => name !== "Content-Type");
  const withType = (type: string, text: string) => ({
    body: bytesOf(text),
    headers: [...others, ["Content-Type", type] as const],
  });
  switch (dice.below(13)) {
    case 0:
      return { ...draft, body: body.subarray(0, dice.below(body.length + 1)) };
    case 1:
      return { ...draft, body: Buffer.from(Buffer.from(body).toString("utf8"), "utf16le") };
    case 2:
      return { ...draft, body: Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), body]) };
    case 3:
      return { ...draft, body: withByte(body, dice) };
    case 4:
      return { body: gzipSync(body), headers: [...draft.headers, ["Content-Encoding", "gzip"]] };
    case 5:
      return withType("application/x-www-form-urlencoded", "message=Yes&choice=a&choice=b&%zz=%00");
    case 6:
      return withType(
        "multipart/form-data; boundary=b",
        '--b\r\nContent-Disposition: form-data; name="a"\r\n\r\n1\r\n--b--',
      );
    case 7:
      return {
        ...draft,
        body: bytesOf(dice.pick(["", " ", "null", "[]", '"text"', "1", "NaN", "{", "{}}", "\u0000", "undefined"])),
      };
    case 8:
      return { ...draft, body: Buffer.concat([body, body]) };
    case 9:
      return { ...draft, body: bytesOf("[".repeat(dice.pick([600, 100_000]))) };
    case 10:
      return { ...draft, body: bytesOf(`{"message":"${"x".repeat(dice.pick([60_000, 70_000, 300_000]))}"}`) };
    case 11:
      return { ...draft, body: dice.oneIn(20) ? new Uint8Array(11_000_000).fill(0x20) : new Uint8Array(70_000) };
    default:
      return { ...draft, headers: others };
  }
}

/** Inserts a byte that is invalid in JSON or, in most places, in UTF-8. */
function withByte(body: Uint8Array, dice: Dice): Uint8Array {
  const at = dice.below(body.length);
  return Buffer.concat([
    body.subarray(0, at),
    Buffer.from([dice.pick([0x00, 0x80, 0xc0, 0xed, 0xff])]),
    body.subarray(at),
  ]);
}
