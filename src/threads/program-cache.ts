import type { FlowDocument } from "../interpreter/flow.ts";
import { type BlockTypes, compile, type Program } from "../interpreter/program.ts";
import type { ProgramText } from "./messages.ts";

/** Compiled programs that a thread keeps, by the size of their flows. */
export const programCacheBytes = 64 * 1024 * 1024;

/** The compiled programs of one thread. Keys are hashes of content, so an entry can never be wrong, only missing. */
export type ProgramCache = {
  get(key: string): Program | undefined;
  add(text: ProgramText): Program;
};

/** A cache that forgets the programs used longest ago once their flows' texts exceed `maxBytes` together. */
export function createProgramCache(maxBytes: number, types: BlockTypes): ProgramCache {
  const entries = new Map<string, { program: Program; bytes: number }>();
  let bytes = 0;

  return {
    get(key) {
      const entry = entries.get(key);
      if (!entry) return undefined;
      entries.delete(key);
      entries.set(key, entry);
      return entry.program;
    },
    add({ key, botId, flow }) {
      const document: FlowDocument = JSON.parse(flow);
      const program = compile(key, botId, document, types);
      // Every flow of a task is sent when one of them is missing.
      bytes -= entries.get(key)?.bytes ?? 0;
      entries.delete(key);
      entries.set(key, { program, bytes: flow.length });
      bytes += flow.length;
      for (const [oldest, entry] of entries) {
        if (bytes <= maxBytes || oldest === key) break;
        entries.delete(oldest);
        bytes -= entry.bytes;
      }
      return program;
    },
  };
}
