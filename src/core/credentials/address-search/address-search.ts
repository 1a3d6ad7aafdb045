import { Type } from "@sinclair/typebox";
import { limits } from "../../../limits/index.ts";
import { type CredentialsData, type CredentialsKind, textIn } from "../kind.ts";
import { address } from "../members.ts";
import { queryAddress, readQueryAddress } from "./query-address.ts";

const addressOf = (data: CredentialsData): string => textIn(data, "url") ?? "";
const originOf = (data: CredentialsData): string => {
  const read = readQueryAddress(addressOf(data));
  return "baseUrl" in read ? (queryAddress(read.baseUrl, { query: "", key: "" })?.origin ?? "") : "";
};

export const addressSearch: CredentialsKind = {
  type: "address-search",
  name: "Address search",
  summary: "A service that finds addresses for the text that visitors type, and returns GeoJSON.",
  page: "integrations.md",
  schema: Type.Object({
    url: address({
      title: "Address",
      description: "URL of the search. Parley replaces {{query}} with the visitor's text, and {{key}} with the key.",
      help: "`{{query}}` is the visitor's text, and `{{key}}` the key.",
      examples: ["https://photon.example.com/api?limit=5&q={{query}}"],
    }),
    header: Type.Optional(
      Type.String({
        title: "Header",
        description: "Name of the header that contains the key. Absent: only {{key}} in the URL contains the key.",
        help: "Leave it empty if the key is in the address.",
        examples: ["Authorization"],
        maxLength: limits.credentials.memberCharacters,
        pattern: "^[A-Za-z0-9-]+$",
        expected: "a name of letters, digits and hyphens",
      }),
    ),
    key: Type.Optional(
      Type.String({
        title: "Key",
        description: "The value of the header, or of {{key}} in the URL. Some services require Bearer before the key.",
        help: "Some services require `Bearer` before the key.",
        maxLength: limits.credentials.memberCharacters,
        pattern: "^[\\x21-\\x7e]([\\x20-\\x7e]*[\\x21-\\x7e])?$",
        expected: "visible ASCII characters, blanks only between them",
      }),
    ),
  }),
  trial: { kind: "call", path: "/", query: [["query", "1 Main Street"]] },
  secretMembers: ["key"],
  addressMembers: ["url"],
  readAddress: readQueryAddress,
  problem({ url, header, key }) {
    if (key === undefined) {
      return header === undefined ? undefined : { member: "key", message: "is required for the header" };
    }
    if (header !== undefined || String(url).includes("{{key}}")) return undefined;
    return { member: "header", message: "is required, unless the address contains {{key}}" };
  },
  destination: originOf,
  service: {
    name: "address-search",
    isBilled: false,
    baseUrl: originOf,
    addressOf(data, query) {
      const [, words = ""] = query.find(([name]) => name === "query") ?? [];
      return queryAddress(addressOf(data), { query: words, key: textIn(data, "key") ?? "" });
    },
    sign(data) {
      const [header, key] = [textIn(data, "header"), textIn(data, "key")];
      return { headers: header === undefined || key === undefined ? [] : [[header, key]] };
    },
  },
};
