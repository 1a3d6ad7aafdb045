import type { FetchInit, ScriptRequest } from "../../core/interpreter/language/script.ts";
import type { LocaleAnswers } from "./locale.ts";
import { isLazy } from "./wire.ts";

/** The host functions of a running script. Their results depend only on the script's request. */
export type ScriptHost = {
  /** Implements `HostFunction`. */
  call(name: string, text: string): string | undefined;
  /** Returns the call of `fetch` that ended the run, if any. */
  wanted(): { url: string; init: FetchInit } | undefined;
};

export function createHost(request: ScriptRequest, locale: LocaleAnswers, charge: (units: number) => void): ScriptHost {
  let asked = 0;
  let wanted: { url: string; init: FetchInit } | undefined;
  locale.begin();

  const fetch = (text: string): string | undefined => {
    const answer = request.offersHostFunctions ? request.fetched[asked++] : { error: "fetch is not available" };
    if (answer) return JSON.stringify(answer);
    wanted = readFetch(text);
    return undefined;
  };

  return {
    wanted: () => wanted,
    call(name, text) {
      charge(unitsPerCall);
      if (name === "locale") return locale.answer(text, charge);
      if (name === "fetch") return fetch(text);
      const [variable, value] = request.globals[Number(text)] ?? [];
      return variable !== undefined && isLazy(request.source, variable, value) ? JSON.stringify(value) : "null";
    },
  };
}

// The fuel for a call of the host, which takes about 1 µs.
const unitsPerCall = 500;

function readFetch(text: string): { url: string; init: FetchInit } {
  const asked: unknown = JSON.parse(text);
  const init = field(asked, "init");
  const method = field(init, "method");
  const body = field(init, "body");
  const headers = field(init, "headers");
  const fields = typeof headers === "object" && headers !== null ? Object.entries(headers) : [];
  return {
    url: String(field(asked, "url")),
    init: {
      ...(typeof method === "string" && { method }),
      ...(fields.length > 0 && { headers: Object.fromEntries(fields.map(([name, value]) => [name, String(value)])) }),
      ...(typeof body === "string" && { body }),
    },
  };
}

function field(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null ? Reflect.get(value, name) : undefined;
}
