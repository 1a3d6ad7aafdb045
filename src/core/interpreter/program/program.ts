import type { TSchema } from "@sinclair/typebox";
import type { FlowBlock, FlowDocument, FlowEdge, FlowEvent, FlowVariable } from "../flow.ts";
import { isJsonObject, isStart, namesNotPrefillable } from "../flow.ts";
import { answerKeysOf } from "../language/answer-keys.ts";
import { codeNamesOf } from "../language/code-names.ts";
import { normalise, type Value } from "../language/values.ts";
import { themeDefaults } from "../schemas/defaults.ts";
import { readKnown, writtenVariables } from "../schemas/schema.ts";
import { type Settings, SettingsSchema, type SystemMessageName } from "../schemas/settings.ts";
import { type Theme, ThemeSchema } from "../schemas/theme.ts";

/** A compiled flow in which every part is found by id in constant time. Each thread caches its compiled flows. */
export type Program = {
  /** Identifies the flow version by its bot and a hash of its content. */
  readonly key: string;
  readonly botId: string;
  readonly flow: FlowDocument;
  /** The known fields of the flow's theme and settings. */
  readonly theme: Theme;
  readonly settings: Settings;
  /** Theme addresses that begin with a variable, by their names in a step's response. */
  readonly dynamicTheme: readonly (readonly [name: string, address: string])[];
  /**
   * Whether the flow starts at a `start` block, as in versions 3 to 5. Such a flow shows only the last element of lists
   * in text bubbles.
   */
  readonly isLegacy: boolean;
  readonly groups: ReadonlyMap<string, ProgramGroup>;
  readonly groupsByTitle: ReadonlyMap<string, ProgramGroup>;
  readonly places: ReadonlyMap<string, Place>;
  /** The target of each edge by the edge's id. */
  readonly edges: ReadonlyMap<string, Target>;
  readonly events: readonly FlowEvent[];
  /** The edge with which a chat starts. Undefined if the flow has no start or the start has no target. */
  readonly startEdgeId: string | undefined;
  readonly variables: ProgramVariables;
  readonly inputIds: ReadonlySet<string>;
  /** The name of each input's answer by block id, for mails and request bodies that list all answers. */
  readonly answerKeys: ReadonlyMap<string, string>;
  /** Reachability by block id, computed when a step first needs it. */
  readonly reach: Map<string, Reach>;
  /**
   * Cached bots of start responses, by the arguments of `botOf`. A bot is cached only if no part of it depends on
   * variables.
   */
  readonly shownBots: Map<string, ShownBot>;
};

/** The `bot` of a start response: the theme and the settings that a page needs, with variables replaced. */
export type ShownBot = { readonly version: string; readonly theme: unknown; readonly settings: unknown };

/**
 * The parts of a flow that can be reached from a block. `hasEnd`: whether any path ends. `isBroken`: whether an edge
 * leads to a missing block.
 */
export type Reach = { readonly inputs: ReadonlySet<string>; readonly hasEnd: boolean; readonly isBroken: boolean };

export type ProgramGroup = { readonly id: string; readonly title: string; readonly blocks: readonly FlowBlock[] };

export type Target = { readonly groupId: string; readonly blockId?: string };

/** A block and its position in the flow. */
export type Place = { readonly group: ProgramGroup; readonly index: number; readonly block: FlowBlock };

export type ProgramVariable = {
  readonly id: string;
  readonly name: string;
  readonly isSessionVariable: boolean;
  readonly value: Value;
};

export type ProgramVariables = {
  readonly list: readonly ProgramVariable[];
  readonly byId: ReadonlyMap<string, ProgramVariable>;
  readonly byName: ReadonlyMap<string, readonly ProgramVariable[]>;
  /** Variables that have a value in the flow document. */
  readonly initial: readonly ProgramVariable[];
  /** The names of variables that a start request may not prefill. */
  readonly notPrefillable: ReadonlySet<string>;
  /** Whether some variables are not stored in results. */
  readonly hasSessionVariables: boolean;
  readonly hasNamesakes: boolean;
  /** The identifiers of variables whose ids are not valid in code, by id: see `codeNameOf`. */
  readonly codeNames: ReadonlyMap<string, string>;
  /**
   * The positions in literals where texts mention variables, computed when a step first needs them: see
   * `mentionsInLiterals`.
   */
  readonly inLiterals: Map<string, ReadonlySet<number>>;
};

/** The part of the block registry that the compiler needs. */
export type BlockTypes = ReadonlyMap<string, { readonly family: string; readonly schema: TSchema }>;

/**
 * Compiles a stored flow. Compilation never fails, because a dangling edge is detected only when a step follows the
 * edge.
 */
export function compile(key: string, botId: string, flow: FlowDocument, types: BlockTypes): Program {
  const events = flow.events ?? [];
  const start = events.find(isStart);
  const startBlock = start ? undefined : startBlockOf(flow);
  const groups = flow.groups.map(({ id, title, blocks }) => ({
    id,
    title: title ?? "",
    blocks: (blocks ?? []).filter((block) => !isStart(block)),
  }));
  const inputs = groups.flatMap((group) => group.blocks).filter(({ type }) => types.get(type)?.family === "input");
  const theme = readKnown(ThemeSchema, flow.theme) ?? {};
  const inputIds = new Set(inputs.map(({ id }) => id));
  const variables = variablesOf(flow.variables, keptVariables(inputs, types));
  return {
    key,
    botId,
    flow,
    theme,
    dynamicTheme: dynamicThemeOf(theme),
    settings: readKnown(SettingsSchema, flow.settings) ?? {},
    isLegacy: startBlock !== undefined,
    groups: firstBy(groups, (group) => group.id),
    groupsByTitle: firstBy(groups, (group) => group.title),
    places: placesOf(groups),
    edges: targetsOf(flow.edges),
    events,
    startEdgeId: (start ?? startBlock)?.outgoingEdgeId ?? undefined,
    variables,
    inputIds,
    answerKeys: answerKeysOf(groups, { inputIds, variables }),
    reach: new Map(),
    shownBots: new Map(),
  };
}

/** Returns the author's text for a system message, if any, before variables are replaced. */
export function systemMessage({ settings }: Program, name: SystemMessageName): string | undefined {
  return settings.general?.systemMessages?.[name] || undefined;
}

/**
 * Returns the addresses of enabled avatars and of the background that begin with a variable. These addresses are sent
 * with every step.
 */
function dynamicThemeOf({ general, chat }: Theme): Program["dynamicTheme"] {
  const { hostAvatar, guestAvatar } = chat ?? {};
  const addresses = [
    ["hostAvatarUrl", (hostAvatar?.isEnabled ?? themeDefaults.isHostAvatarShown) ? hostAvatar?.url : undefined],
    ["guestAvatarUrl", (guestAvatar?.isEnabled ?? themeDefaults.isGuestAvatarShown) ? guestAvatar?.url : undefined],
    ["backgroundUrl", general?.background?.content],
  ] as const;
  return addresses.flatMap(([name, url]) => (url?.startsWith("{{") ? [[name, url] as const] : []));
}

/** Returns the start block of a flow of versions 3 to 5, if any. The start block is usually in its own group. */
function startBlockOf(flow: FlowDocument): FlowBlock | undefined {
  for (const group of flow.groups) {
    const start = group.blocks?.find(isStart);
    if (start) return start;
  }
  return undefined;
}

function targetsOf(edges: readonly FlowEdge[]): Map<string, Target> {
  const targets = edges.map(({ id, to }) => ({
    id,
    to: { groupId: to?.groupId ?? "", ...(typeof to?.blockId === "string" && { blockId: to.blockId }) },
  }));
  return new Map([...firstBy(targets, (edge) => edge.id)].map(([id, { to }]) => [id, to]));
}

function placesOf(groups: readonly ProgramGroup[]): Map<string, Place> {
  const places = new Map<string, Place>();
  for (const group of groups) {
    for (const [index, block] of group.blocks.entries()) {
      if (!places.has(block.id)) places.set(block.id, { group, index, block });
    }
  }
  return places;
}

/**
 * Returns the variables that inputs write. Results include these variables even if they are marked as session
 * variables, because editors mark every new variable as a session variable.
 */
function keptVariables(inputs: readonly FlowBlock[], types: BlockTypes): Set<string> {
  return new Set(
    inputs.flatMap((block) => {
      const schema = types.get(block.type)?.schema;
      return schema ? writtenVariables(schema, block) : [];
    }),
  );
}

function variablesOf(variables: readonly FlowVariable[], answered: ReadonlySet<string>): ProgramVariables {
  const list = variables.map((variable) => ({
    id: variable.id,
    name: variable.name,
    isSessionVariable: variable.isSessionVariable === true && !answered.has(variable.id),
    value: initialValue(variable.value),
  }));
  const byName = new Map<string, ProgramVariable[]>();
  for (const variable of list) {
    const namesakes = byName.get(variable.name);
    if (namesakes) namesakes.push(variable);
    else byName.set(variable.name, [variable]);
  }
  const byId = firstBy(list, (variable) => variable.id);
  return {
    list,
    byId,
    byName,
    initial: list.filter((variable) => variable.value !== null && variable.value !== ""),
    notPrefillable: namesNotPrefillable(variables),
    hasSessionVariables: list.some(({ isSessionVariable }) => isSessionVariable),
    hasNamesakes: byName.size < byId.size,
    codeNames: codeNamesOf(byId),
    inLiterals: new Map(),
  };
}

/**
 * Converts the initial value of a variable. Texts are not changed. Unlike a value written later, an initial text may be
 * empty, because conditions distinguish "" from null.
 */
function initialValue(value: unknown): Value {
  if (typeof value === "string") return value;
  return normalise(isJsonObject(value) ? null : value);
}

function firstBy<T>(list: readonly T[], keyOf: (element: T) => string): Map<string, T> {
  const map = new Map<string, T>();
  for (const element of list) {
    const key = keyOf(element);
    if (!map.has(key)) map.set(key, element);
  }
  return map;
}
