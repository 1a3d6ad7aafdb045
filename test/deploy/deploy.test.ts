import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { type Static, type TSchema, Type } from "@sinclair/typebox";
import { Value } from "@sinclair/typebox/value";
import { ConfigSchema, drainMs, readConfig } from "../../src/config.ts";
import { limits } from "../../src/limits/index.ts";
import { operations } from "../../src/service/operations.ts";

const root = join(import.meta.dir, "../..");
const read = (path: string) => readFileSync(join(root, path), "utf8");

const Texts = Type.Record(Type.String(), Type.String());
const Probe = Type.Object({
  httpGet: Type.Object({ path: Type.String(), port: Type.Literal("http") }),
  periodSeconds: Type.Integer(),
  timeoutSeconds: Type.Optional(Type.Integer()),
  failureThreshold: Type.Integer(),
});
const Container = Type.Object({
  args: Type.Array(Type.String()),
  ports: Type.Array(Type.Object({ name: Type.String(), containerPort: Type.Integer() })),
  envFrom: Type.Array(Type.Record(Type.String(), Type.Object({ name: Type.String() }))),
  startupProbe: Probe,
  readinessProbe: Probe,
  livenessProbe: Probe,
  securityContext: Type.Object({ readOnlyRootFilesystem: Type.Literal(true) }),
  volumeMounts: Type.Array(Type.Object({ name: Type.String(), mountPath: Type.String() })),
});
const Deployment = Type.Object({
  metadata: Type.Object({ name: Type.String() }),
  spec: Type.Object({
    replicas: Type.Integer({ minimum: 2 }),
    selector: Type.Object({ matchLabels: Texts }),
    strategy: Type.Object({
      type: Type.Literal("RollingUpdate"),
      rollingUpdate: Type.Object({ maxSurge: Type.Integer({ minimum: 1 }), maxUnavailable: Type.Literal(0) }),
    }),
    template: Type.Object({
      metadata: Type.Object({ labels: Texts }),
      spec: Type.Object({
        terminationGracePeriodSeconds: Type.Integer(),
        securityContext: Type.Object({ runAsNonRoot: Type.Literal(true), runAsUser: Type.Integer() }),
        containers: Type.Tuple([Container]),
        volumes: Type.Array(Type.Object({ name: Type.String() })),
      }),
    }),
  }),
});
const Budget = Type.Object({
  spec: Type.Object({ maxUnavailable: Type.Integer(), selector: Type.Object({ matchLabels: Texts }) }),
});
const Service = Type.Object({
  spec: Type.Object({ selector: Texts, ports: Type.Array(Type.Object({ targetPort: Type.String() })) }),
});
const ConfigMap = Type.Object({ metadata: Type.Object({ name: Type.String() }), data: Texts });
const Secret = Type.Object({ metadata: Type.Object({ name: Type.String() }), stringData: Texts });
const ComposeService = Type.Object({
  image: Type.String(),
  environment: Type.Optional(Texts),
  entrypoint: Type.Optional(Type.Array(Type.String())),
  command: Type.Optional(Type.Array(Type.String())),
  stop_grace_period: Type.Optional(Type.String()),
  volumes: Type.Array(Type.String()),
  depends_on: Type.Optional(Type.Union([Type.Array(Type.String()), Type.Record(Type.String(), Type.Unknown())])),
});
const Compose = Type.Object({
  services: Type.Record(Type.String(), ComposeService),
  volumes: Type.Record(Type.String(), Type.Null()),
});

function documentOf<Schema extends TSchema>(path: string, schema: Schema, kind?: string): Static<Schema> {
  const parsed: unknown = Bun.YAML.parse(read(path));
  const documents: unknown[] = Array.isArray(parsed) ? parsed : [parsed];
  const found =
    kind === undefined ? documents : documents.filter((one) => Value.Check(KindSchema, one) && one.kind === kind);
  expect(found).toHaveLength(1);
  return Value.Parse(schema, found[0]);
}
const KindSchema = Type.Object({ kind: Type.String() });

const deployment = documentOf("deploy/kubernetes/parley.yaml", Deployment, "Deployment");
const pod = deployment.spec.template.spec;
const [container] = pod.containers;
const configMap = documentOf("deploy/kubernetes/settings.yaml", ConfigMap);
const secret = documentOf("deploy/kubernetes/secret.example.yaml", Secret);
const compose = documentOf("docker-compose.yml", Compose);
const nodes = Object.entries(compose.services).filter(([, { image }]) => image === "parley");
const node = Value.Parse(ComposeService, nodes[0]?.[1]);
const unit = [...read("deploy/systemd/parley.service").matchAll(/^([A-Za-z]+)=(.*)$/gm)];
const unitValue = (name: string) => unit.find(([, key]) => key === name)?.[2];

/** The environment of a node by file, with the defaults of `${NAME:-default}`. */
const settingsOf: Record<string, Record<string, string>> = {
  "deploy/kubernetes": { ...configMap.data, ...secret.stringData },
  "docker-compose.yml": withDefaults({ ...node.environment, ...exportsOf(node.entrypoint?.[2] ?? "") }),
  "deploy/systemd": {
    ...Object.fromEntries(unit.filter(([, key]) => key === "Environment").map(([, , text = ""]) => settingOf(text))),
    ...Object.fromEntries(
      [...read("deploy/systemd/parley.env.example").matchAll(/^#?([A-Z_0-9]+=.*)$/gm)].map(([, text = ""]) =>
        settingOf(text),
      ),
    ),
  },
};

function settingOf(text: string): [string, string] {
  const [name = "", ...value] = text.split("=");
  return [name, value.join("=")];
}

function withDefaults(texts: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(texts).map(([name, text]) => [name, text.replaceAll(/\$\{\w+:-([^}]*)\}/g, "$1")]),
  );
}

/** Returns the variables that a shell script exports. The output of a command is replaced by 64 letters. */
function exportsOf(script: string): Record<string, string> {
  const lines = [...script.matchAll(/^export ([A-Z_]+)="(.*)"$/gm)];
  return Object.fromEntries(
    lines.map(([, name = "", text = ""]) => [name, text.replaceAll(/\$\$\([^)]*\)/g, "x".repeat(64))]),
  );
}

const graceSeconds: Record<string, number> = {
  "deploy/kubernetes": pod.terminationGracePeriodSeconds,
  "docker-compose.yml": Number.parseInt(node.stop_grace_period ?? "", 10),
  "deploy/systemd": Number(unitValue("TimeoutStopSec")),
};

test.each(Object.keys(settingsOf))("%s sets only supported settings, with valid values", (place) => {
  const settings = settingsOf[place] ?? {};

  expect(Object.keys(settings).length).toBeGreaterThan(4);
  expect(Object.keys(settings).filter((name) => !(name in ConfigSchema.properties))).toEqual([]);
  expect(() => readConfig(settings)).not.toThrow();
});

test.each(Object.keys(settingsOf))("the grace period of %s covers the drain, requests and jobs of a node", (place) => {
  const drainSeconds = drainMs(readConfig(settingsOf[place] ?? {})) / 1_000;

  // Open requests have 20 seconds to finish, and afterwards jobs have another 20 seconds.
  expect(graceSeconds[place]).toBeGreaterThanOrEqual(drainSeconds + (2 * limits.process.drainMs) / 1_000 + 5);
  // The documented sum is DRAIN_SECONDS + 50. Up to five more seconds are accepted.
  expect(graceSeconds[place]).toBeLessThanOrEqual(drainSeconds + 55);
});

test("the Kubernetes probes call existing operations", () => {
  const paths = operations.filter(({ method, host }) => method === "GET" && host === "both").map(({ path }) => path);
  const { startupProbe, readinessProbe, livenessProbe } = container;

  for (const { httpGet } of [startupProbe, readinessProbe, livenessProbe]) expect(paths).toContain(httpGet.path);
  expect(readinessProbe.httpGet.path).toBe("/api/readyz");
  expect(livenessProbe.httpGet.path).toBe("/api/healthz");
  expect(readinessProbe.timeoutSeconds).toBeGreaterThan(limits.process.readinessMs / 1_000);
  const noticedSeconds = readinessProbe.periodSeconds * readinessProbe.failureThreshold + 1;
  expect(drainMs(readConfig(settingsOf["deploy/kubernetes"] ?? {}))).toBeGreaterThan(noticedSeconds * 1_000);
});

test("the Kubernetes manifests reference each other's objects correctly", () => {
  const labels = deployment.spec.template.metadata.labels;
  const service = documentOf("deploy/kubernetes/parley.yaml", Service, "Service");
  const budget = documentOf("deploy/kubernetes/parley.yaml", Budget, "PodDisruptionBudget");

  expect(deployment.spec.selector.matchLabels).toEqual(labels);
  expect(service.spec.selector).toEqual(labels);
  expect(service.spec.ports.map(({ targetPort }) => targetPort)).toEqual(container.ports.map(({ name }) => name));
  expect(budget.spec.selector.matchLabels).toEqual(labels);
  expect(budget.spec.maxUnavailable).toBeLessThan(deployment.spec.replicas);
  expect(container.envFrom).toEqual([
    { configMapRef: { name: configMap.metadata.name } },
    { secretRef: { name: secret.metadata.name } },
  ]);
  expect(container.volumeMounts.map(({ name }) => name)).toEqual(pod.volumes.map(({ name }) => name));
  // Several nodes store files where all nodes can read them, and share one key.
  expect(settingsOf["deploy/kubernetes"]).toMatchObject({
    S3_BUCKET: expect.any(String),
    ENCRYPTION_KEY: expect.any(String),
    DATABASE_URL: expect.any(String),
  });
});

test("the Docker image has the user and port of the Kubernetes manifest", () => {
  const image = read("Dockerfile");
  const port = ConfigSchema.properties.PORT.default;

  expect(image).toContain(`--uid ${pod.securityContext.runAsUser} `);
  expect(image).toMatch(new RegExp(`^USER ${pod.securityContext.runAsUser}$`, "m"));
  expect(image).toMatch(new RegExp(`^EXPOSE ${port} ${port + 1}$`, "m"));
  expect(container.ports).toEqual([{ name: "http", containerPort: port }]);
  const dataDir = /^ENV DATA_DIR=(.*)$/m.exec(image)?.[1];
  expect(container.volumeMounts.map(({ mountPath }) => mountPath)).toContain(String(dataDir));
  expect(node.volumes).toContain(`files:${dataDir}`);
  expect(image).toMatch(/^HEALTHCHECK .* CMD \["parley", "health"\]$/m);
  expect(image).toContain(`FROM oven/bun:${JSON.parse(read("package.json")).engines.bun}-`);
});

test("the load balancer uses all three identical nodes of docker-compose.yml", () => {
  const names = nodes.map(([name]) => name);
  const balancer = read("deploy/Caddyfile");

  expect(names).toHaveLength(3);
  for (const [, one] of nodes) expect(one).toEqual(node);
  expect(balancer).toContain(
    `reverse_proxy ${names.map((name) => `${name}:${ConfigSchema.properties.PORT.default}`).join(" ")} {`,
  );
  // The builder's port is the service's port plus one.
  expect(balancer).toContain(
    `reverse_proxy ${names.map((name) => `${name}:${ConfigSchema.properties.PORT.default + 1}`).join(" ")} {`,
  );
  expect(compose.services["balancer"]?.depends_on).toEqual(names);
  expect(balancer).toMatch(/^\s*health_uri \/api\/readyz$/m);
  const everySeconds = Number(/^\s*health_interval (\d+)s$/m.exec(balancer)?.[1]);
  expect(drainMs(readConfig(settingsOf["docker-compose.yml"] ?? {}))).toBeGreaterThan((everySeconds + 1) * 1_000);
});

test("docker-compose.yml references only existing services, volumes and files", () => {
  const services = Object.values(compose.services);
  const sources = services.flatMap(({ volumes }) => volumes.map((text) => text.split(":")[0] ?? ""));

  for (const { depends_on: needed = [] } of services) {
    for (const name of Array.isArray(needed) ? needed : Object.keys(needed))
      expect(compose.services).toHaveProperty(name);
  }
  const files = sources.filter((source) => source.startsWith("./"));
  for (const file of files) expect(read(file)).not.toBe("");
  expect(new Set(sources.filter((source) => !files.includes(source)))).toEqual(new Set(Object.keys(compose.volumes)));
});

test("the systemd unit stores its data in its state directory", () => {
  expect(unitValue("KillMode")).toBe("mixed");
  expect(settingsOf["deploy/systemd"]?.["DATA_DIR"]).toBe(`/var/lib/${unitValue("StateDirectory")}`);
  expect(unitValue("ExecStart")).toEndWith("/parley serve");
  // Just-in-time compilers write code to executable memory.
  expect(unitValue("MemoryDenyWriteExecute")).toBeUndefined();
});
