import type { FetchInit, RunScript, ScriptOutcome, ScriptRequest } from "../../core/interpreter/language/script.ts";
import type { Image } from "./engine.ts";
import { type CallResult, Engine, type Handle } from "./engine.ts";
import guest from "./guest.js" with { type: "text" };
import guestCopy from "./guest-copy.js" with { type: "text" };
import guestLocale from "./guest-locale.js" with { type: "text" };
import guestWorld from "./guest-world.js" with { type: "text" };
import { createHost } from "./host.ts";
import { createLocaleAnswers } from "./locale.ts";
import { encodeRequest, readOutcome } from "./wire.ts";

/** The memory after compiling a script, and the fuel that compiling has used. */
type Compiled = { readonly image: Image; readonly fuel: number };

type CompiledScripts = {
  get(key: string): Compiled | undefined;
  /** Stores the result of `make` from the second use of a script, because many scripts run only once. */
  offer(key: string, make: () => Compiled): void;
};

/**
 * Caches memory images of recent scripts. Restoring an image is faster than compiling: 6 instead of 120 µs for 1.7 kB
 * of code (Bun 1.4.4).
 */
function createCompiledScripts(): CompiledScripts {
  const kept = new Map<string, Compiled | undefined>();
  return {
    get(key) {
      const found = kept.get(key);
      if (!found) return undefined;
      kept.delete(key);
      kept.set(key, found);
      return found;
    },
    offer(key, make) {
      if (key.length > maxCharacters) return;
      const compiled = kept.has(key) ? make() : undefined;
      kept.delete(key);
      kept.set(key, compiled);
      if (kept.size > maxScripts) kept.delete(kept.keys().next().value ?? "");
    },
  };
}

// An image takes 340 kB, and slightly more for long scripts, so the cache of each thread takes 11 MB.
const maxScripts = 32;
const maxCharacters = 64 * 1024;

/**
 * Creates the sandbox of a thread. The sandbox runs authors' scripts sequentially, each from the same memory image and
 * within the limits of its request, which also supplies the clock and the seed. The sandbox has no access to network
 * and files. A tick is a loop iteration or a call inside the engine, including native code. One second has 400 million
 * ticks in common scripts, and 200 to 800 million in extreme scripts (Bun 1.4.4, two cores of 2023). Throws if the
 * process does not run in UTC.
 */
export async function createSandbox(): Promise<RunScript> {
  if (new Date(2024, 0).getTimezoneOffset() !== 0 || new Date(2024, 6).getTimezoneOffset() !== 0) {
    throw new Error("Scripts use UTC, so the process must run in UTC: set TZ=UTC.");
  }
  const engine = await Engine.load();
  const { compile, start, finish } = installGuest(engine);
  const base = engine.snapshot();
  const scripts = createCompiledScripts();
  const locale = createLocaleAnswers();

  const prepare = ({ form, source }: ScriptRequest, fuel: number): CallResult => {
    const key = `${form} ${source}`;
    const compiled = scripts.get(key);
    engine.restore(compiled?.image ?? base);
    engine.fuel = Math.max(0, fuel - (compiled?.fuel ?? 0));
    if (compiled) return engine.fuel === 0 ? { kind: "outOfFuel" } : { kind: "text", text: "" };
    const result = engine.call(compile, JSON.stringify([form, source]));
    if (result.kind === "text") scripts.offer(key, () => ({ image: engine.snapshot(), fuel: fuel - engine.fuel }));
    return result;
  };

  const execute = (request: ScriptRequest, fuel: number): CallResult => {
    const prepared = prepare(request, fuel);
    if (prepared.kind !== "text") return prepared;
    const result = engine.call(start, encodeRequest(request));
    if (result.kind !== "text" || result.text !== "") return result;
    return engine.runJobs() ?? engine.call(finish, "");
  };

  return (request) => {
    const fuel = Math.min(request.maxTicks, maxFuel);
    if (fuel <= 0) return outcomeOf({ kind: "outOfFuel" }, { ticks: 0, wanted: undefined, source: request.source });
    const host = createHost(request, locale, (units) => {
      engine.fuel = Math.max(0, engine.fuel - units);
    });
    engine.onHostCall = host.call;
    const result = execute(request, fuel);
    return outcomeOf(result, { ticks: fuel - engine.fuel, wanted: host.wanted(), source: request.source });
  };
}

/** Runs the guest code, which defines the globals of scripts and the functions that run scripts. */
function installGuest(engine: Engine) {
  const host = engine.hostFunction();
  const install = (source: string, values: Handle[]) =>
    engine.invoke(engine.evaluate(`"use strict";${source}`), values);
  const copy = install(guestCopy, []);
  const world = install(guestWorld, []);
  install(guestLocale, [host, copy, world]);
  const functions = install(guest, [host, copy, world]);
  return {
    compile: engine.element(functions, 0),
    start: engine.element(functions, 1),
    finish: engine.element(functions, 2),
  };
}

// The engine's fuel counter has 32 bits.
const maxFuel = 2 ** 32 - 1;
const context = "While executing function";

type Ended = {
  readonly ticks: number;
  readonly wanted: { url: string; init: FetchInit } | undefined;
  readonly source: string;
};

function outcomeOf(result: CallResult, { ticks, wanted, source }: Ended): ScriptOutcome {
  const failed = (kind: "failed" | "timeout", description: string): ScriptOutcome => ({
    kind,
    ticks,
    error: { context, description: `[undefined] ${description}` },
  });
  switch (result.kind) {
    case "text":
      return { ticks, ...readOutcome(result.text, { context, source }) };
    case "threw":
      return failed("failed", result.text);
    case "tooDeep":
      return failed("failed", "Maximum call stack size exceeded");
    case "outOfFuel":
      return failed("timeout", "Script execution timed out.");
    case "stopped":
      return wanted ? { kind: "fetch", ticks, ...wanted } : failed("failed", "The script ended unexpectedly");
    default:
      return result satisfies never;
  }
}
