import { type Answer, type Asked, type FakeProvider, startFake } from "./kit.ts";

/** The places that the search finds. Two places are in the same street. */
export const places = [
  {
    label: "10 Downing Street, London, SW1A 2AA, United Kingdom",
    properties: { housenumber: "10", street: "Downing Street", postalcode: "SW1A 2AA", locality: "London" },
    country: "United Kingdom",
    point: [-0.1276, 51.5034],
  },
  {
    label: "12 Downing Street, London, SW1A 2AD, United Kingdom",
    properties: { housenumber: "12", street: "Downing Street", postalcode: "SW1A 2AD", locality: "London" },
    country: "United Kingdom",
    point: [-0.1279, 51.5035],
  },
  {
    label: "Rue de Rivoli 99, 75001 Paris, France",
    properties: { housenumber: "99", street: "Rue de Rivoli", postalcode: "75001", locality: "Paris" },
    country: "France",
    point: [2.3364, 48.8611],
  },
] as const;

export const searchPath = "/v1/autocomplete?text={{query}}";

/**
 * Starts an address search with the API of Pelias
 * (https://github.com/pelias/documentation/blob/master/autocomplete.md): it returns GeoJSON features with a label, and
 * requires a key in the header `X-Key` or the parameter `api_key`.
 */
export function startFakeAddressSearch({ port = 0 } = {}): Promise<FakeProvider> {
  return startFake({
    name: "address-search",
    port,
    refusal: (status, asked) => ({ message: `Refused with ${status}: ${keyOf(asked)}` }),
    answer,
  });
}

function keyOf({ headers, query }: Asked): string {
  return headers["x-key"] ?? query.get("api_key") ?? "";
}

function answer(asked: Asked): Answer {
  const key = keyOf(asked);
  if (key === "" || key.startsWith("wrong")) return { status: 401, json: { message: `Unknown key: ${key}` } };
  if (asked.path !== "/v1/autocomplete") return { status: 404, json: { message: "There is no such path" } };
  const words = (asked.query.get("text") ?? "").toLowerCase().split(/\s+/);
  const found = places.filter(({ label }) => words.every((word) => label.toLowerCase().includes(word)));
  const features = found.map(({ label, properties, country, point }) => ({
    type: "Feature",
    geometry: { type: "Point", coordinates: point },
    properties: { ...properties, country, label, note: `asked with ${key}` },
  }));
  return { json: { type: "FeatureCollection", features } };
}
