import { expect, setDefaultTimeout, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { type Static, type TProperties, Type } from "@sinclair/typebox";
import { Value } from "@sinclair/typebox/value";
import { billOfMaterials } from "../../../src/build/supply/bill.ts";
import { readComponents } from "../../../src/build/supply/components.ts";
import { runCommand, sourceCommand } from "../../support/service.ts";

setDefaultTimeout(30_000);

const root = join(import.meta.dir, "../../..");

const Listed = Type.Object({
  components: Type.Array(
    Type.Object({
      name: Type.String({ minLength: 1 }),
      version: Type.Optional(Type.String({ pattern: "^\\d" })),
      licence: Type.String({ minLength: 1 }),
      text: Type.String({ minLength: 40 }),
    }),
  ),
});

async function listed(): Promise<Static<typeof Listed>["components"]> {
  const { exitCode, stdout, stderr } = await runCommand(["licences", "--json"]);
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: "" });
  return Value.Decode(Listed, JSON.parse(stdout)).components;
}

/**
 * Returns the production packages as Bun lists them: `name@version`. Optional peers that are installed only for
 * development are left out.
 */
function productionPackages(): string[] {
  const tree = Bun.spawnSync([process.execPath, "pm", "ls", "--all", "--prod"], { cwd: root });
  const names = [...tree.stdout.toString().matchAll(/── (\S+)/g)].map(([, name]) => name ?? "");
  return names.filter((name) => !/typescript|^(?:supports-color|@types\/node|undici-types)@/.test(name));
}

test('the command "licences" lists every production package with its version', async () => {
  const components = await listed();

  const names = components.map(({ name, version }) => `${name}@${version}`);
  expect(productionPackages().length).toBeGreaterThan(100);
  expect(productionPackages().filter((name) => !names.includes(name))).toEqual([]);
  expect(new Set(names).size).toBe(names.length);
});

test('the command "licences" lists the licences of Bun and PostgreSQL', async () => {
  const byName = new Map((await listed()).map((component) => [component.name, component]));

  expect(byName.get("Parley")?.text).toBe(readFileSync(join(root, "LICENSE"), "utf8").trim());
  expect(byName.get("Bun")).toMatchObject({ version: Bun.version, text: expect.stringContaining("JavaScriptCore") });
  expect(byName.get("PostgreSQL")).toMatchObject({
    version: expect.stringMatching(/^18\.\d+$/),
    text: expect.stringContaining("Regents of the University of California"),
  });
  for (const name of ["OpenSSL", "ICU", "libxml2", "zlib"]) expect(byName.get(name)?.version).toMatch(/^\d+\.\d+/);
});

test("the bundled licence text of Bun equals that of the installed Bun", () => {
  const ofBun = readFileSync(join(root, "node_modules/bun-types/docs/project/license.mdx"), "utf8");

  const text = readFileSync(join(root, "src/build/supply/texts/Bun.txt"), "utf8");

  expect(ofBun.replace(/^---\n[\s\S]*?\n---\n+/, "")).toBe(text);
});

test('the command "licences" prints its whole output to a slow reader', async () => {
  const command = [...sourceCommand, "licences"].map((word) => `'${word}'`).join(" ");
  const whole = (await runCommand(["licences"])).stdout;
  // A shell reads the output byte by byte.
  const slowly = Bun.spawnSync(["sh", "-c", `${command} | while IFS= read -r line; do printf '%s\\n' "$line"; done`]);

  expect(whole).toMatch(/^Parley \S+: MIT\nBun \S+: MIT AND LGPL/);
  expect(whole.split("JavaScriptCore and WebKit").length).toBeLessThan(3);
  expect(whole).toContain("\npostgres 3.4.9: Unlicense\n");
  expect(slowly.stdout.toString()).toBe(whole);
});

const platform = `${process.platform}-${process.arch}`;

function billHere(): string {
  return billOfMaterials(readComponents({ modules: join(root, "node_modules"), platform }), platform);
}

/** The part of CycloneDX 1.6 that Parley writes, as strict as the official schema. */
const Licences = Type.Array(
  Type.Union([
    strict({ license: Type.Union([strict({ id: Type.String() }), strict({ name: Type.String() })]) }),
    strict({ expression: Type.String() }),
  ]),
  { minItems: 1, maxItems: 1 },
);
const described = {
  "bom-ref": Type.String({ minLength: 1 }),
  name: Type.String({ minLength: 1 }),
  version: Type.Optional(Type.String()),
  licenses: Licences,
};
const Bill = strict({
  bomFormat: Type.Literal("CycloneDX"),
  specVersion: Type.Literal("1.6"),
  serialNumber: Type.String({ pattern: "^urn:uuid:[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-8[0-9a-f]{3}-[0-9a-f]{12}$" }),
  version: Type.Literal(1),
  metadata: strict({
    component: strict({
      type: Type.Literal("application"),
      ...described,
      properties: Type.Array(strict({ name: Type.String(), value: Type.String() })),
    }),
  }),
  components: Type.Array(
    strict({
      type: Type.Literal("library"),
      ...described,
      scope: Type.Optional(Type.Union([Type.Literal("required"), Type.Literal("optional")])),
      hashes: Type.Optional(
        Type.Array(strict({ alg: Type.Literal("SHA-512"), content: Type.String({ pattern: "^[0-9a-f]{128}$" }) })),
      ),
      purl: Type.Optional(Type.String({ pattern: "^pkg:npm/(%40[^/]+/)?[^/@]+@[^@]+$" })),
      pedigree: Type.Optional(
        strict({
          patches: Type.Array(strict({ type: Type.Literal("unofficial"), diff: strict({ url: Type.String() }) })),
        }),
      ),
    }),
  ),
  dependencies: Type.Array(strict({ ref: Type.String(), dependsOn: Type.Array(Type.String(), { uniqueItems: true }) })),
});

function strict<Properties extends TProperties>(properties: Properties) {
  return Type.Object(properties, { additionalProperties: false });
}

test("the bill of materials is valid CycloneDX", () => {
  const bill = Value.Decode(Bill, JSON.parse(billHere()));

  const refs = [bill.metadata.component, ...bill.components].map((component) => component["bom-ref"]);
  expect(new Set(refs).size).toBe(refs.length);
  expect(bill.dependencies.map(({ ref }) => ref)).toEqual(refs);
  expect(bill.dependencies.flatMap(({ dependsOn }) => dependsOn).filter((ref) => !refs.includes(ref))).toEqual([]);
  const reached = new Set(bill.dependencies.flatMap(({ dependsOn }) => dependsOn));
  expect(refs.filter((ref) => !reached.has(ref))).toEqual(["program:Parley"]);
});

test("the bill of materials contains every production package", () => {
  const { components } = Value.Decode(Bill, JSON.parse(billHere()));
  const lock = readFileSync(join(root, "bun.lock"), "utf8");

  const byUrl = new Map(components.map((component) => [decodeURIComponent(component.purl ?? ""), component]));

  for (const name of productionPackages()) {
    const component = byUrl.get(`pkg:npm/${name}`);
    expect({ name, hashes: component?.hashes?.length }).toEqual({ name, hashes: 1 });
    const hash = Buffer.from(component?.hashes?.[0]?.content ?? "", "hex").toString("base64");
    const entry = lock.split("\n").find((line) => line.includes(`["${name}", `));
    expect(entry).toEndWith(`"sha512-${hash}"],`);
  }
  expect(byUrl.get("pkg:npm/postgres@3.4.9")?.pedigree?.patches[0]?.diff.url).toBe(
    "scripts/patches/postgres@3.4.9.patch",
  );
});

test("the bill of materials is reproducible and contains no local path", () => {
  expect(billHere()).toBe(billHere());
  expect(billHere()).not.toContain(root);
});

const Workflow = Type.Object({
  jobs: Type.Record(
    Type.String(),
    Type.Object({
      strategy: Type.Optional(Type.Object({ matrix: Type.Record(Type.String(), Type.Array(Type.String())) })),
      steps: Type.Array(Type.Object({ uses: Type.Optional(Type.String()), run: Type.Optional(Type.String()) })),
    }),
  ),
});

function workflow(name: string): Static<typeof Workflow>["jobs"] {
  return Value.Decode(Workflow, Bun.YAML.parse(readFileSync(join(root, ".github/workflows", name), "utf8"))).jobs;
}

test("the release workflow builds every supported target twice", () => {
  const source = readFileSync(join(root, "src/build/binary.ts"), "utf8");
  const targets = [...(/const targets = \[(.*?)\]/.exec(source)?.[1] ?? "").matchAll(/"([^"]+)"/g)].map(
    ([, name]) => name ?? "",
  );

  const { build } = workflow("release.yml");

  expect(build?.strategy?.matrix).toEqual({ target: targets, turn: ["first", "second"] });
  expect(
    build?.steps.map(({ run = "" }) => run).filter((run) => run.startsWith("npm run build -- --target $")),
  ).toHaveLength(1);
});

test("the nightly workflow runs the long tests", () => {
  const commands = workflow("nightly.yml")["test"]?.steps.map(({ run = "" }) => run);

  expect(commands?.at(-1)).toBe("npm run test:long");
});

test("the audit passes with a warning if the registry does not answer", () => {
  const script = workflow("audit.yml")["audit"]?.steps.at(-1)?.run ?? "";
  expect(script).toContain("launch.sh audit --prod");

  // Simulates a machine without network access, on which the audit itself would fail.
  const offline = `curl() { return 6; }; timeout() { shift; "$@"; }; sh() { return 1; }; ${script}`;
  const { exitCode, stdout } = Bun.spawnSync(["bash", "-e", "-c", offline]);

  expect({ exitCode, stdout: stdout.toString() }).toEqual({
    exitCode: 0,
    stdout: "::warning::The registry does not answer: nothing was audited.\n",
  });
});
