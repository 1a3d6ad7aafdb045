/**
 * The bundled files of the workers by name. `bundleApp` bundles each `*.worker.ts` of the builder into one file and
 * defines this constant.
 */
declare const workerFiles: Readonly<Record<string, string>>;

const folder = "/assets/app/";

/**
 * Starts a worker by the name of its file, such as `findings`. Returns undefined if the worker is not bundled, as in
 * unit tests, or if the browser does not support workers.
 */
export function startWorker(name: string): Worker | undefined {
  const file = typeof workerFiles === "undefined" ? undefined : workerFiles[name];
  if (file === undefined || typeof Worker === "undefined") return undefined;
  // With trusted types, the URL is a `TrustedScriptURL`, which TypeScript's type of `Worker` does not accept.
  const worker: Worker = Reflect.construct(Worker, [trusted(folder + file), { type: "module", name }]);
  return worker;
}

type Policy = { createScriptURL(address: string): unknown };
type Factory = { createPolicy(name: string, rules: { createScriptURL(address: string): string }): Policy };

let policy: Policy | undefined;

/** Returns a trusted URL if the document requires trusted types. Only the builder's own files are trusted. */
function trusted(address: string): unknown {
  const factory: unknown = Reflect.get(globalThis, "trustedTypes");
  if (!isFactory(factory)) return address;
  policy ??= factory.createPolicy("parley-workers", {
    createScriptURL(named) {
      if (!/^\/assets\/app\/[\w.-]+\.js$/.test(named)) throw new TypeError(`${named} is no worker of this page`);
      return named;
    },
  });
  return policy.createScriptURL(address);
}

function isFactory(value: unknown): value is Factory {
  return typeof value === "object" && value !== null && "createPolicy" in value;
}
