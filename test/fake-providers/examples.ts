import { searchPath, startFakeAddressSearch } from "./address-search.ts";
import { startFakeChatNode } from "./chat-node.ts";
import { startFakeProxy } from "./connect-proxy.ts";
import { startFakeElevenlabs } from "./elevenlabs.ts";
import { person, serviceAccount } from "./google/accounts.ts";
import { startFakeGoogle } from "./google/server.ts";
import { fakes } from "./index.ts";
import { providerUrls } from "./kit.ts";
import { startFakeNocodb } from "./nocodb.ts";

type Starts = (typeof fakes)[number];

/** Replacements for the fakes that must have the voice, the bot or the table of the examples in `docs/`. */
const known: ReadonlyMap<Starts, Starts> = new Map<Starts, Starts>([
  [startFakeElevenlabs, ({ port }) => startFakeElevenlabs({ port, voiceId: "21m00Tcm4TlvDq8ikWAM" })],
  [startFakeChatNode, ({ port }) => startFakeChatNode({ port, botId: "65f0c2d1a4b7" })],
  [
    startFakeNocodb,
    async ({ port }) => {
      const nocodb = await startFakeNocodb({ port });
      nocodb.tables.delete("table");
      nocodb.tables.set("m1x2y3z4", [{ Id: 1, Mail: "ana@example.com", Plan: "Pro" }]);
      return nocodb;
    },
  ],
]);

/**
 * Starts every provider that the examples of `docs/` call, and a proxy. They use `port` and the following ports, or
 * free ports.
 */
export async function startExamples({ port = 0, say = (_line: string): void => {} } = {}) {
  const portAt = (index: number): number => (port === 0 ? 0 : port + index);
  const google = await startFakeGoogle({ port: portAt(fakes.length) });
  const others = await Promise.all(fakes.map((start, index) => (known.get(start) ?? start)({ port: portAt(index) })));
  const providers = [...others, google];
  for (const { name, onAsked } of providers)
    onAsked(({ method, path, text }) => {
      say(`${name}: ${method} ${path} ${text.slice(0, 300)}`.trim());
      return undefined;
    });
  const proxy = await startFakeProxy({
    port: portAt(fakes.length + 1),
    user: (account) => !account.includes(":wrong"),
    onAsked: ({ target }) => say(`${proxy.name}: CONNECT ${target}`),
  });
  const spreadsheetId = google.sheets.make({
    rows: [
      ["Name", "E-mail", "Phone", "Result ID"],
      ["Ana", "ana@example.com", "+33 1 23 45 67 89", ""],
    ],
    sharedWith: [person.account, serviceAccount.clientEmail],
  });
  const started = [...providers, proxy];
  return {
    ...{ google, providers, proxy, started },
    urls: providerUrls(started),
    /** The URL of a spreadsheet that the accounts may edit. */
    spreadsheet: `${google.origin}/spreadsheets/d/${spreadsheetId}/edit#gid=0`,
    /** The address search URL for credentials. */
    addressSearch: `${others[fakes.indexOf(startFakeAddressSearch)]?.origin}${searchPath}`,
    close: async () => void (await Promise.all(started.map(({ close }) => close()))),
  };
}
