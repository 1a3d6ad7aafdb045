import { parseArgs } from "node:util";
import { startExamples } from "./examples.ts";
import { ownClient } from "./google/accounts.ts";

// `npm run fake-providers -- --port 12100` starts every provider at this port and the following ports, for trying
// blocks without an account.
const { values } = parseArgs({ options: { port: { type: "string", default: "12100" } } });
const say = (line: string): void => void process.stdout.write(`${line}\n`);
const { started, google, urls, spreadsheet, addressSearch, close } = await startExamples({
  port: Number(values.port),
  say,
});
for (const line of [
  ...started.map(({ name, origin }) => `A fake ${name} answers at ${origin}`),
  `A spreadsheet of this Google is at ${spreadsheet}`,
  `Addresses are found by credentials with the address ${addressSearch} and the header X-Key`,
  `The key of a service account is at ${google.origin}/service-account.json`,
  "Make credentials with any key: keys that begin with “wrong” are refused. Each request is printed here.",
  "Start the service with these settings:",
  `export PROVIDER_URLS=${urls}`,
  `export GOOGLE_CLIENT_ID=${ownClient.id} GOOGLE_CLIENT_SECRET=${ownClient.secret}`,
])
  say(line);
for (const signal of ["SIGINT", "SIGTERM"] as const) {
  process.once(signal, () => void close().then(() => process.exit(0)));
}
