import type { ModelEffect } from "../interpreter/model.ts";
import type { RequestManner } from "./model-options.ts";
import type { ModelServer } from "./model-server.ts";

/** How models took the shape of an answer last: most servers know schemas, some only JSON, some neither. */
const known = new Map<string, RequestManner["output"]>();

/** Models are few; a name that a flow makes of what visitors say could be any. */
const mostKnown = 1_000;

export function knownOutput(effect: ModelEffect, server: ModelServer): RequestManner["output"] {
  return known.get(keyOf(effect, server)) ?? "schema";
}

export function rememberOutput(effect: ModelEffect, server: ModelServer, output: RequestManner["output"]): void {
  if (!effect.output || output === knownOutput(effect, server)) return;
  if (known.size >= mostKnown) known.clear();
  known.set(keyOf(effect, server), output);
}

function keyOf({ model }: ModelEffect, { baseUrl }: ModelServer): string {
  return `${baseUrl} ${model}`;
}
