import type { Placed } from "../../editor/commands/places.ts";
import { type Arrangement, layOut } from "./layout.ts";

/*
 * The layout, beside the page: two thousand cards take seconds. This file is both sides of it. The page loads it when somebody asks for a layout, and
 * starts a worker with the very same file, which answers where there is no document. What it imports has to do without one, too.
 */

/** Lays out what it is given, in a worker; here where the browser starts none. */
export function layOutAside(arrangement: Arrangement): Promise<readonly Placed[]> {
  const worker = startWorker();
  if (!worker) return Promise.resolve(layOut(arrangement));
  return new Promise((resolve, reject) => {
    const end = (): void => worker.terminate();
    worker.onmessage = ({ data }: MessageEvent<readonly Placed[]>) => {
      end();
      resolve(data);
    };
    worker.onerror = ({ message }) => {
      end();
      reject(new Error(`The layout failed: ${message}`));
    };
    worker.postMessage({ arrangement });
  });
}

function startWorker(): Worker | undefined {
  try {
    // A worker's address is for whoever may make scripts: this one is the file's own.
    const own = import.meta.url;
    const policy = trustedTypes()?.createPolicy("parley-layout", { createScriptURL: () => own });
    return new Worker(policy?.createScriptURL("") ?? own, { type: "module" });
  } catch {
    return undefined;
  }
}

type ScriptUrls = { createScriptURL(text: string): string };
type Policies = { createPolicy(name: string, rules: ScriptUrls): ScriptUrls };

function trustedTypes(): Policies | undefined {
  const found: unknown = Reflect.get(globalThis, "trustedTypes");
  return isPolicies(found) ? found : undefined;
}

function isPolicies(value: unknown): value is Policies {
  return typeof value === "object" && value !== null && "createPolicy" in value;
}

if (typeof document === "undefined" && typeof addEventListener === "function") {
  addEventListener("message", ({ data }: MessageEvent<{ readonly arrangement?: Arrangement }>) => {
    if (data.arrangement) postMessage(layOut(data.arrangement));
  });
}
