import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Sample } from "./make-sample.ts";

/** The number of samples to keep, starting with the newest. */
export const keptSamples = 5;
export const maxSampleBytes = 200_000;

/**
 * Returns the names of the samples among files, oldest first. Each sample is named after the last migration of its
 * release.
 */
export function sampleNames(files: readonly string[] = readdirSync(import.meta.dir)): string[] {
  return files
    .filter((name) => name.endsWith(".tar"))
    .map((name) => name.slice(0, -".tar".length))
    .toSorted();
}

export function samplePath(name: string, ending: "tar" | "json"): string {
  return join(import.meta.dir, `${name}.${ending}`);
}

export function readSample(name: string): Sample {
  return JSON.parse(readFileSync(samplePath(name, "json"), "utf8"));
}
