import { describe, expect, test } from "bun:test";
import {
  httpOriginsOf,
  isOwnMachine,
  mostHttpOrigins,
  staticOriginOf,
} from "../../../src/core/flow/client-requests.ts";
import { factsOf } from "../../../src/core/flow/facts.ts";

const sends = (url: unknown, isExecutedOnClient: unknown = true) => ({
  ...{ id: "b", type: "Webhook" },
  options: { isExecutedOnClient, webhook: { url } },
});
const originsOf = (...urls: unknown[]) => httpOriginsOf([{ blocks: urls.map((url) => sends(url)) }]);

describe("http origins of a flow", () => {
  test("each http origin of a flow is listed once", () => {
    expect(
      originsOf("http://a.example/x?y={{Z}}", " http://A.example:80/{{Id}}", "http://b.example:4000#{{Z}}"),
    ).toEqual(["http://a.example", "http://b.example:4000"]);
  });

  test("the http origins of a flow exclude https, invalid addresses and variable hosts", () => {
    expect(
      originsOf(
        "https://a.example",
        "http://{{Host}}/x",
        "http://a.example:{{Port}}",
        "http://a.example{{Rest}}",
        "{{Url}}",
      ),
    ).toEqual([]);
    expect(
      originsOf(undefined, 5, "", "http://", "http://a b/", "//a.example", "http:a.example", "ftp://a.example"),
    ).toEqual([]);
    expect(originsOf("http://x.example; script-src */", "http://a'b/")).toEqual([]);
  });

  test("the http origins of a flow exclude requests that the service itself sends", () => {
    expect(
      httpOriginsOf([{ blocks: [sends("http://a.example", false), sends("http://b.example", "true")] }, {}]),
    ).toEqual([]);
  });

  test("the http origins of a flow are limited in number and in total length", () => {
    const many = Array.from({ length: 2_000 }, (_, index) => `http://a${index}.example`);
    const long = Array.from(
      { length: 20 },
      (_, index) => `http://${"a".repeat(60)}.${"b".repeat(60)}.x${index}.example`,
    );

    expect(originsOf(...many)).toHaveLength(mostHttpOrigins);
    expect(originsOf(...long).join(" ").length).toBeLessThan(1_500);
  });

  test("the http origins of a flow are listed in its facts, unless there are none", () => {
    const groups = [{ id: "g", title: "", blocks: [sends("http://a.example/x")] }];

    expect(factsOf({ settings: {}, groups }).httpOrigins).toEqual(["http://a.example"]);
    expect(factsOf({ settings: {}, groups: [] })).not.toHaveProperty("httpOrigins");
  });
});

test("a static address of the local machine is recognised", () => {
  const own = [
    "http://localhost/x",
    "http://localhost:{{Port}}",
    "http://a.localhost",
    "http://127.0.0.1:80",
    "http://[::1]",
  ];
  expect(own.filter((address) => !isOwnMachine(address))).toEqual(["http://localhost:{{Port}}"]);
  expect(["http://localhost.example", "http://1.127.0.0", "{{Url}}"].filter(isOwnMachine)).toEqual([]);
  expect(staticOriginOf("https://a.example/{{x}}")).toBe("https://a.example");
  // A content security policy would match this origin with any host.
  expect(staticOriginOf("http://*/x")).toBeUndefined();
  expect(staticOriginOf("http://%2A.lan/x")).toBeUndefined();
});
