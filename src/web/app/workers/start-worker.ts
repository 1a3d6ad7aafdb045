/**
 * The files of the workers, by their names: `bundleApp` bundles each `*.worker.ts` of the builder into one file, and
 * writes the names in here.
 */
declare const workerFiles: Readonly<Record<string, string>>;

const folder = "/assets/app/";

/**
 * Starts a worker of the builder by the name of its file, such as `findings`. Undefined if there is none, as in a
 * test of a part.
 */
export function startWorker(name: string): Worker | undefined {
  const file = typeof workerFiles === "undefined" ? undefined : workerFiles[name];
  if (file === undefined || typeof Worker === "undefined") return undefined;
  // A trusted address is an object of the document's policy, not a string.
  const worker: Worker = Reflect.construct(Worker, [trusted(folder + file), { type: "module", name }]);
  return worker;
}

type Policy = { createScriptURL(address: string): unknown };
type Factory = { createPolicy(name: string, rules: { createScriptURL(address: string): string }): Policy };

let policy: Policy | undefined;

/** If a document requires trusted types, scripts can be named only here: our own files, and no others. */
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
