import { describe, expect, test } from "bun:test";
import { blocks } from "../../../../src/core/blocks/index.ts";
import { credentialsKinds } from "../../../../src/core/credentials/index.ts";

const stored = { id: "b", type: "address input", options: { credentialsId: "ours" } };
const source = blocks.get("address input")?.input?.suggestions?.(stored);
const read = (...features: readonly unknown[]) => source?.read({ type: "FeatureCollection", features }) ?? [];
const feature = (properties: object, more: object = {}) => ({ type: "Feature", properties, ...more });

describe("the address of a search result", () => {
  test.each<readonly [service: string, unknown, text: string, parts: Record<string, string>]>([
    [
      "Pelias",
      feature(
        {
          ...{ label: "30 West 26th Street, New York, NY, USA", housenumber: "30", street: "West 26th Street" },
          ...{ postalcode: "10010", locality: "New York", region: "New York", country: "United States" },
        },
        { geometry: { type: "Point", coordinates: [-73.990342, 40.744243] } },
      ),
      "30 West 26th Street, New York, NY, USA",
      {
        ...{
          Street: "West 26th Street",
          "House number": "30",
          Postcode: "10010",
          City: "New York",
          Region: "New York",
        },
        ...{ Country: "United States", Latitude: "40.744243", Longitude: "-73.990342" },
      },
    ],
    [
      "Photon without a label",
      feature({
        name: "Rathaus",
        street: "Marienplatz",
        housenumber: 8,
        postcode: 80331,
        city: "München",
        country: "Deutschland",
      }),
      "Rathaus, Marienplatz 8, 80331 München, Deutschland",
      { Street: "Marienplatz", "House number": "8", Postcode: "80331", City: "München", Country: "Deutschland" },
    ],
    [
      "Photon with only a street",
      feature({ name: "Marienplatz", street: "Marienplatz", city: "München" }),
      "Marienplatz, München",
      { Street: "Marienplatz", City: "München" },
    ],
    [
      "Nominatim",
      feature({
        display_name: "1, Rue de Rivoli, Paris",
        address: { road: "Rue de Rivoli", house_number: "1", town: "Paris", postcode: "75004", state: "Île-de-France" },
      }),
      "1, Rue de Rivoli, Paris",
      { Street: "Rue de Rivoli", "House number": "1", Postcode: "75004", City: "Paris", Region: "Île-de-France" },
    ],
    ["Geoapify", feature({ formatted: "Paris, France", city: "Paris" }), "Paris, France", { City: "Paris" }],
    ["MapTiler", feature({}, { place_name: "Paris, France" }), "Paris, France", {}],
    ["a service that returns line breaks", feature({ label: " 1\nMain   Street\u0000 " }), "1 Main Street\ufffd", {}],
  ])("the address of a search result is found in a result of %s", (_, given, text, parts) => {
    expect(read(given)).toEqual([{ text, parts }]);
  });

  test.each<readonly [why: string, object]>([
    ["is not a point", { type: "LineString", coordinates: [[1, 2]] }],
    ["has a latitude above 90", { type: "Point", coordinates: [1, 91] }],
    ["has a longitude below -180", { type: "Point", coordinates: [-181, 1] }],
    ["has texts as coordinates", { type: "Point", coordinates: ["1", "2"] }],
    ["has no coordinates", { type: "Point" }],
  ])("the address of a search result gets no coordinates from a geometry that %s", (_, geometry) => {
    expect(read(feature({ label: "Here" }, { geometry }))).toEqual([{ text: "Here", parts: {} }]);
  });

  test("a search result may have the latitude -90 and the longitude 180", () => {
    const geometry = { type: "Point", coordinates: [180, -90] };
    expect(read(feature({ label: "Pole" }, { geometry }))).toMatchObject([
      { parts: { Latitude: "-90", Longitude: "180" } },
    ]);
  });

  test("long addresses are truncated without splitting a character", () => {
    const [{ text, parts } = { text: "", parts: {} }] = read(
      feature({ label: "😀".repeat(400), city: "b".repeat(400) }),
    );
    expect(text).toBe("😀".repeat(300));
    expect(parts).toEqual({ City: "b".repeat(300) });
  });
});

test("at most five addresses of a response are read", () => {
  const labels = ["", "a", "a", " ", "b", "c", "d", "e", "f"];
  expect(read(...labels.map((label) => feature({ label })), null, "x").map(({ text }) => text)).toEqual([
    "a",
    "b",
    "c",
    "d",
    "e",
  ]);
});

test.each([[undefined], [null], ["text"], [[]], [{}], [{ features: {} }], [{ features: "x" }]])(
  "the response %j contains no address",
  (answer) => {
    expect(source?.read(answer)).toEqual([]);
  },
);

describe("the URL of a search", () => {
  const kind = credentialsKinds.get("address-search");
  const service = kind?.service;
  const urlOf = (url: string, words: string) => service?.addressOf?.({ url, key: "a b" }, [["query", words]])?.href;

  test("the search words and the key in a URL are encoded", () => {
    const url = "https://s.example/{{query}}/x?k={{key}}&q={{query}}&q2={{query}}";
    expect(urlOf(url, "a/b?c&d#e$&")).toBe(
      "https://s.example/a%2Fb%3Fc%26d%23e%24%26/x?k=a%20b&q=a%2Fb%3Fc%26d%23e%24%26&q2=a%2Fb%3Fc%26d%23e%24%26",
    );
  });

  const example = "must be an address such as https://search.example.com/v1?text={{query}}";
  const noUser = "must not contain a user name or a password";
  test.each([
    ["nonsense", example],
    ["https://", example],
    ["ftp://s.example/{{query}}", example],
    ["https://{{query}}/x", example],
    ["https://{{query}}.s.example/x", example],
    ["https://s.example.{{key}}/{{query}}", example],
    ["https://s.example:1{{query}}/x", example],
    ["https://ann@s.example/{{query}}", noUser],
    ["https://:pw@s.example/{{query}}", noUser],
    ["https://s.example/{{query}}#x", "must not contain a fragment"],
    ["https://s.example/{{key}}", "must contain {{query}} in place of the visitor's text"],
  ])("the URL of a search cannot be %s", (url, problem) => {
    expect(kind?.readAddress?.(url)).toEqual({ problem });
  });

  test.each(["http://s.example/{{query}}", " https://s.example?q={{query}}&k={{key}} "])(
    "the URL of a search can be %j",
    (url) => {
      expect(kind?.readAddress?.(url)).toEqual({ baseUrl: url.trim() });
    },
  );

  test("a search with an invalid URL has no address", () => {
    expect(service?.addressOf?.({ url: "https://s.example/?q={{query}}" }, [])?.href).toBe("https://s.example/?q=");
    expect(service?.addressOf?.({ url: "nonsense" }, [["query", "x"]])).toBe(undefined);
    expect([kind?.destination({ url: "nonsense" }), kind?.destination({})]).toEqual(["", ""]);
    expect(kind?.destination({ url: "https://s.example/v1?q={{query}}" })).toBe("https://s.example");
  });

  test("the key of a search is sent in the configured header", () => {
    expect(service?.sign({ header: "X-Key", key: "k" })).toEqual({ headers: [["X-Key", "k"]] });
    expect(service?.sign({ header: "X-Key" })).toEqual({ headers: [] });
    expect(service?.sign({ key: "k" })).toEqual({ headers: [] });
  });

  test("an address search rejects a header without a key and an unused key", () => {
    expect(kind?.problem?.({ url: "https://s.example/{{query}}" })).toBe(undefined);
    expect(kind?.problem?.({ url: "https://s.example/{{query}}", header: "X-Key" })?.member).toBe("key");
    expect(kind?.problem?.({ url: "https://s.example/{{query}}", key: "k" })?.member).toBe("header");
    expect(kind?.problem?.({ url: "https://s.example/{{query}}", header: "X-Key", key: "k" })).toBe(undefined);
    expect(kind?.problem?.({ url: "https://s.example/{{query}}{{key}}", key: "k" })).toBe(undefined);
  });

  test.each(["..", "."])("the search words %j cannot change the path of a search's URL", (words) => {
    expect(urlOf("https://s.example/v1/{{query}}/x", words)).toBe(undefined);
    expect(urlOf("https://s.example/v1?q={{query}}", words)).toBe(`https://s.example/v1?q=${words}`);
  });
});
