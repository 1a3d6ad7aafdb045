import type { FlowDocument } from "../interpreter/flow.ts";
import { type BlockTypes, compile, type Program } from "../interpreter/program/program.ts";
import type { ProgramText } from "./messages.ts";

/** The maximum size of a thread's program cache, measured by the length of the flows' texts. */
export const programCacheBytes = 64 * 1024 * 1024;

/** The compiled programs of one thread. Keys contain content hashes, so entries never become outdated. */
export type ProgramCache = {
  get(key: string): Program | undefined;
  add(text: ProgramText): Program;
};

/**
 * Creates a cache that evicts the least recently used programs when the texts of their flows exceed `maxBytes`. The
 * newest program is never evicted.
 */
export function createProgramCache(maxBytes: number, types: BlockTypes): ProgramCache {
  const entries = new Map<string, { program: Program; bytes: number }>();
  let bytes = 0;
  /** The key of the most recently used entry. */
  let newest: string | undefined;

  return {
    get(key) {
      const entry = entries.get(key);
      if (!entry || key === newest) return entry?.program;
      entries.delete(key);
      entries.set(key, entry);
      newest = key;
      return entry.program;
    },
    add({ key, botId, flow }) {
      const document: FlowDocument = JSON.parse(flow);
      const program = compile(key, botId, document, types);
      // The flow may already be cached, because all flows of a task are sent if one of them is missing.
      bytes -= entries.get(key)?.bytes ?? 0;
      entries.delete(key);
      entries.set(key, { program, bytes: flow.length });
      bytes += flow.length;
      newest = key;
      for (const [oldest, entry] of entries) {
        if (bytes <= maxBytes || oldest === key) break;
        entries.delete(oldest);
        bytes -= entry.bytes;
      }
      return program;
    },
  };
}
