import { parseArgs } from "node:util";
import { searchPath } from "./address-search.ts";
import { ownClient, person, serviceAccount } from "./google/accounts.ts";
import { startFakeGoogle } from "./google/server.ts";
import { fakes } from "./index.ts";
import { providerUrls } from "./kit.ts";

// `npm run fake-providers -- --port 12100`: every provider, at this port and the following ones, for trying blocks without an account.
const { values } = parseArgs({ options: { port: { type: "string", default: "12100" } } });
const first = Number(values.port);
const portAt = (index: number): number => (first === 0 ? 0 : first + index);
const google = await startFakeGoogle({ port: portAt(fakes.length) });
const others = await Promise.all(fakes.map((start, index) => start({ port: portAt(index) })));
const started = [...others, google];
const search = started.find(({ name }) => name === "address-search");
const leads = google.sheets.make({
  rows: [["Name", "E-mail", "Phone", "Result ID"]],
  sharedWith: [person.account, serviceAccount.clientEmail],
});
process.stdout.write(
  [
    ...started.map(({ name, origin }) => `A fake ${name} answers at ${origin}`),
    `Start the service with PROVIDER_URLS=${providerUrls(started)}`,
    `and, to connect Google accounts, with GOOGLE_CLIENT_ID=${ownClient.id} GOOGLE_CLIENT_SECRET=${ownClient.secret}`,
    `A spreadsheet of this Google is at ${google.origin}/spreadsheets/d/${leads}/edit#gid=0`,
    `Addresses are found by credentials with the address ${search?.origin}${searchPath} and the header X-Key`,
    `The key of a service account is at ${google.origin}/service-account.json`,
    "Make credentials with any key: keys that begin with “wrong” are refused.",
    "",
  ].join("\n"),
);
for (const signal of ["SIGINT", "SIGTERM"] as const) {
  process.once(signal, () => void Promise.all(started.map(({ close }) => close())).then(() => process.exit(0)));
}
