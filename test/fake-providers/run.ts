import { parseArgs } from "node:util";
import { fakes } from "./index.ts";
import { providerUrls } from "./kit.ts";

// `npm run fake-providers -- --port 12100`: every provider, at this port and the following ones, for trying blocks without an account.
const { values } = parseArgs({ options: { port: { type: "string", default: "12100" } } });
const first = Number(values.port);
const started = await Promise.all(fakes.map((start, index) => start({ port: first === 0 ? 0 : first + index })));
process.stdout.write(
  [
    ...started.map(({ name, origin }) => `A fake ${name} answers at ${origin}`),
    `Start the service with PROVIDER_URLS=${providerUrls(started)}`,
    "Make credentials with any key: keys that begin with “wrong” are refused.",
    "",
  ].join("\n"),
);
for (const signal of ["SIGINT", "SIGTERM"] as const) {
  process.once(signal, () => void Promise.all(started.map(({ close }) => close())).then(() => process.exit(0)));
}
