import type { ModelEffect } from "../../core/interpreter/program/model.ts";
import type { RequestManner } from "./model-options.ts";
import type { ModelServer } from "./model-server.ts";

/** The facts about a model that its answers have shown. */
export type KnownModel = {
  /** How it took the shape of an answer last: most servers know schemas, some only JSON, some neither. */
  readonly output?: RequestManner["output"];
  /** It answered once it was asked without a temperature. */
  readonly refusesTemperature?: true;
};

const known = new Map<string, KnownModel>();

/** Models are few; but a flow may build names from visitors' input, so there could be any number. */
const mostKnown = 1_000;

export function knownModel(effect: ModelEffect, server: ModelServer): KnownModel {
  return known.get(keyOf(effect, server)) ?? {};
}

/** Learns from an answer: how `asked` differs from the original request. */
export function rememberModel(
  effect: ModelEffect,
  server: ModelServer,
  { asked, manner }: { asked: ModelEffect; manner: RequestManner },
): void {
  const before = knownModel(effect, server);
  const isCold = effect.temperature !== undefined && asked.temperature === undefined;
  const isNew = effect.output !== undefined && manner.output !== (before.output ?? "schema");
  if (!isNew && (!isCold || before.refusesTemperature)) return;
  if (known.size >= mostKnown) known.clear();
  const found = { ...(isNew && { output: manner.output }), ...(isCold && { refusesTemperature: true as const }) };
  known.set(keyOf(effect, server), { ...before, ...found });
}

function keyOf({ model }: ModelEffect, { baseUrl }: ModelServer): string {
  return `${baseUrl} ${model}`;
}
