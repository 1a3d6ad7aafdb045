import { parseArgs } from "node:util";
import type { Bench, Pace } from "./bench.ts";
import { measureBuilder } from "./sections/builder.ts";
import { measureChannels } from "./sections/channels.ts";
import { measureCounting } from "./sections/counting.ts";
import { measureEditing } from "./sections/editing.ts";
import { measureEvents } from "./sections/events.ts";
import { measureExports } from "./sections/exports.ts";
import { measureGrowth } from "./sections/growth.ts";
import { measureHostile } from "./sections/hostile.ts";
import { measureInsight } from "./sections/insight.ts";
import { measureLarge } from "./sections/large.ts";
import { measureLimits } from "./sections/limits.ts";
import { measureLists } from "./sections/lists.ts";
import { measureMemory } from "./sections/memory.ts";
import { measureMigrations } from "./sections/migrations.ts";
import { measurePartitions } from "./sections/partitions.ts";
import { measureProcesses } from "./sections/processes.ts";
import { measureReady } from "./sections/ready.ts";
import { measureReplay } from "./sections/replay.ts";
import { measureResults } from "./sections/results.ts";
import { measureScripts } from "./sections/scripts.ts";
import { measureSeeing } from "./sections/seeing.ts";
import { measureSoak } from "./sections/soak.ts";
import { measureStarts } from "./sections/starts.ts";
import { measureSteps } from "./sections/steps.ts";
import { measureStreams } from "./sections/streams.ts";
import { measureThreads } from "./sections/threads.ts";
import { measureTiers } from "./sections/tiers.ts";
import { measureTimeline } from "./sections/timeline.ts";
import { measureTimers } from "./sections/timers.ts";
import { measureWal } from "./sections/wal.ts";
import { measureWeb } from "./sections/web.ts";

/** How the figures of a run are used, in addition to being printed. */
type BaselineUse = { readonly saves: boolean; readonly compares: boolean };

type Section = {
  readonly name: string;
  measure(bench: Bench): Promise<void>;
  /** Whether the section only runs if its name is given. */
  readonly isRare?: true;
};

/** The sections in the order in which they run. */
const sections: readonly Section[] = [
  { name: "steps", measure: measureSteps },
  { name: "processes", measure: measureProcesses },
  { name: "tiers", measure: measureTiers },
  { name: "events", measure: measureEvents },
  { name: "limits", measure: measureLimits },
  { name: "seeing", measure: measureSeeing, isRare: true },
  { name: "starts", measure: measureStarts },
  { name: "scripts", measure: measureScripts },
  { name: "lists", measure: measureLists },
  { name: "threads", measure: measureThreads },
  { name: "hostile", measure: measureHostile },
  { name: "wal", measure: measureWal },
  { name: "web", measure: measureWeb },
  { name: "large", measure: measureLarge },
  { name: "memory", measure: measureMemory },
  { name: "exports", measure: measureExports, isRare: true },
  { name: "migrations", measure: measureMigrations, isRare: true },
  { name: "partitions", measure: measurePartitions, isRare: true },
  { name: "counting", measure: measureCounting, isRare: true },
  { name: "growth", measure: measureGrowth, isRare: true },
  { name: "builder", measure: measureBuilder, isRare: true },
  { name: "editing", measure: measureEditing, isRare: true },
  { name: "results", measure: measureResults, isRare: true },
  { name: "insight", measure: measureInsight, isRare: true },
  { name: "soak", measure: measureSoak, isRare: true },
  { name: "timeline", measure: measureTimeline, isRare: true },
  { name: "ready", measure: measureReady, isRare: true },
  { name: "replay", measure: measureReplay, isRare: true },
  { name: "streams", measure: measureStreams, isRare: true },
  { name: "timers", measure: measureTimers, isRare: true },
  { name: "channels", measure: measureChannels, isRare: true },
];

const short = { seconds: 0.5, warmUpSeconds: 0.15, rounds: 3, minutes: 0.1, rows: 100_000 };
const long = { seconds: 5, warmUpSeconds: 1, rounds: 7, minutes: 10, rows: 1_000_000 };

const libraries = ["react-flow", "react-flow-all"] as const;

/**
 * Parses the sections to run and the durations of measurements. Without names, all sections run except the rare
 * sections.
 */
export function readOptions(args: readonly string[]): {
  pace: Pace;
  sections: readonly Section[];
  baseline: BaselineUse;
} {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      long: { type: "boolean", default: false },
      seconds: { type: "string" },
      rounds: { type: "string" },
      minutes: { type: "string" },
      rows: { type: "string" },
      "save-baseline": { type: "boolean", default: false },
      compare: { type: "boolean", default: false },
      processes: { type: "string", default: "1,2,4" },
      at: { type: "string", default: "1,8,32,128" },
      delays: { type: "string", default: "0,20,50,200" },
      attack: { type: "string", default: "" },
      "events-per-second": { type: "string", default: "500" },
      beside: { type: "string" },
    },
  });
  const unknown = positionals.filter((name) => !sections.some((section) => section.name === name));
  if (unknown.length > 0) {
    throw new Error(`There is no section ${unknown.join(", ")}: ${sections.map(({ name }) => name).join(", ")}.`);
  }
  const beside = libraries.find((name) => name === values.beside);
  if (beside !== values.beside) {
    throw new Error(`Nothing is measured beside ${values.beside}: --beside takes ${libraries.join(", ")}.`);
  }
  const fallback = values.long ? long : short;
  const number = (text: string | undefined, otherwise: number) => (text === undefined ? otherwise : Number(text));
  return {
    baseline: { saves: values["save-baseline"], compares: values.compare },
    sections: sections.filter(({ name, isRare }) => (positionals.length === 0 ? !isRare : positionals.includes(name))),
    pace: {
      isLong: values.long,
      seconds: number(values.seconds, fallback.seconds),
      warmUpSeconds: fallback.warmUpSeconds,
      rounds: number(values.rounds, fallback.rounds),
      hostileRounds: isAlone(positionals, "hostile") ? number(values.rounds, 5) : values.long ? long.rounds : 1,
      attack: values.attack,
      hostileSeconds: Math.max(1, number(values.seconds, isAlone(positionals, "hostile") ? 1.5 : fallback.seconds)),
      minutes: number(values.minutes, fallback.minutes),
      rows: number(values.rows, fallback.rows),
      concurrencies: values.at.split(",").map(Number),
      processes: values.processes.split(",").map(Number),
      receiverDelaysMs: values.delays.split(",").map(Number),
      eventsPerSecond: Number(values["events-per-second"]),
      ...(beside && { beside }),
    },
  };
}

function isAlone(names: readonly string[], name: string): boolean {
  return names.length === 1 && names[0] === name;
}
