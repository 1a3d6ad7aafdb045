import { limits } from "../../../../limits/index.ts";
import { isJsonObject, textAt, valueAt } from "../../../interpreter/flow.ts";
import { cleanText } from "../../../interpreter/language/values.ts";
import type { Suggestion, SuggestionParts } from "../../../interpreter/program/call.ts";

/** The parts of an address, in the usual order of a form. */
export const addressParts = [
  "Street",
  "House number",
  "Postcode",
  "City",
  "Region",
  "Country",
  "Latitude",
  "Longitude",
] as const;
export type AddressPart = (typeof addressParts)[number];

/**
 * The property names of each part in a GeoJSON feature, most common name first. The names come from Pelias, Photon,
 * Geoapify and the French national address base. Nominatim uses its own names in `properties.address`.
 */
const names: readonly (readonly [part: AddressPart, ...names: readonly string[]])[] = [
  ["Street", "street", "road", "pedestrian"],
  ["House number", "housenumber", "house_number"],
  ["Postcode", "postcode", "postalcode"],
  ["City", "city", "locality", "town", "village", "municipality"],
  ["Region", "region", "state"],
  ["Country", "country"],
];

/**
 * Returns the addresses of a GeoJSON response in their original order, each with a unique label, up to a limit.
 * Features without a label are skipped.
 */
export function readAddresses(answer: unknown): readonly Suggestion[] {
  const features = valueAt(answer, "features");
  if (!Array.isArray(features)) return [];
  const found = new Map<string, SuggestionParts>();
  for (const feature of features) {
    const parts = partsOf(feature);
    const text = labelOf(feature, parts);
    if (text !== "" && !found.has(text)) found.set(text, parts);
    if (found.size === limits.suggestions.most) break;
  }
  return [...found].map(([text, parts]) => ({ text, parts }));
}

function labelOf(feature: unknown, parts: SuggestionParts): string {
  const properties = valueAt(feature, "properties");
  const written = ["label", "formatted", "display_name", "full_address"].map((name) => line(textAt(properties, name)));
  const label = [...written, line(textAt(feature, "place_name"))].find((text) => text !== "");
  return label ?? composed(line(textAt(properties, "name")), parts);
}

/**
 * Composes a label from the name and the parts, in the order that most countries use. Photon does not return labels.
 */
function composed(name: string, parts: SuggestionParts): string {
  const lines = [
    name === parts["Street"] ? "" : name,
    joined(" ", parts["Street"], parts["House number"]),
    joined(" ", parts["Postcode"], parts["City"]),
    parts["Region"],
    parts["Country"],
  ];
  return line(joined(", ", ...new Set(lines)));
}

function joined(between: string, ...texts: readonly (string | undefined)[]): string {
  return texts.filter(Boolean).join(between);
}

function partsOf(feature: unknown): SuggestionParts {
  const properties = valueAt(feature, "properties");
  const own = valueAt(properties, "address");
  const sources = [properties, own].filter(isJsonObject);
  const parts = names.flatMap(([part, ...keys]) => {
    const value = keys.flatMap((key) => sources.map((source) => valueText(source[key]))).find((text) => text !== "");
    return value === undefined ? [] : [[part, value]];
  });
  return Object.fromEntries([...parts, ...pointOf(feature)]);
}

/**
 * Returns the latitude and longitude of a valid GeoJSON point, or no parts for any other feature. GeoJSON writes the
 * longitude first.
 */
function pointOf(feature: unknown): [part: AddressPart, value: string][] {
  const coordinates = valueAt(feature, "geometry", "coordinates");
  if (textAt(feature, "geometry", "type") !== "Point" || !Array.isArray(coordinates)) return [];
  const [longitude, latitude]: unknown[] = coordinates;
  if (!isWithin(latitude, 90) || !isWithin(longitude, 180)) return [];
  return [
    ["Latitude", String(latitude)],
    ["Longitude", String(longitude)],
  ];
}

function isWithin(value: unknown, most: number): value is number {
  return typeof value === "number" && Math.abs(value) <= most;
}

/** Converts a value to one line of text. Some services write house numbers and postcodes as numbers. */
function valueText(value: unknown): string {
  return line(typeof value === "number" ? String(value) : typeof value === "string" ? value : undefined);
}

function line(text: string | undefined): string {
  const clean = cleanText(text ?? "")
    .replaceAll(/\s+/g, " ")
    .trim();
  return Array.from(clean).slice(0, limits.suggestions.labelCharacters).join("").trim();
}
