import { join } from "node:path";
import { plugin } from "bun";

// Two of the generators print code with the compiler API of TypeScript 5. TypeScript 7, which this project uses, lacks
// this API.
plugin({
  name: "typescript-5",
  setup(build) {
    build.module("typescript", async () => {
      const { default: typescript } = await import("typescript-5");
      return { exports: { ...typescript, default: typescript }, loader: "object" };
    });
  },
});

const [folder = "", baseUrl = "", ...generators] = process.argv.slice(2);
const document = join(folder, "openapi.json");

// Generates clients for all operations from the published document.
const { default: openapiTs, astToString } = await import("openapi-typescript");
await Bun.write(join(folder, "openapi-typescript.d.ts"), astToString(await openapiTs(Bun.pathToFileURL(document))));

if (generators.includes("hey-api")) {
  const heyApi = await import("@hey-api/openapi-ts");
  await heyApi.createClient({ input: document, output: join(folder, "hey-api"), logs: { level: "silent" } });
}

if (generators.includes("orval")) {
  const orval = await import("orval");
  await orval.generate({ input: document, output: { target: join(folder, "orval.ts"), client: "fetch", baseUrl } });
}
