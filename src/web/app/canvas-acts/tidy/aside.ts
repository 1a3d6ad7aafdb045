import type { Placed } from "../../editor/commands/places.ts";
import { startWorker } from "../../workers/start-worker.ts";
import type { Arrangement } from "./layout.ts";

/** Computes a layout in a worker, as two thousand cards take seconds; on the page where there is none. */
export async function layOutAside(arrangement: Arrangement): Promise<readonly Placed[]> {
  const worker = startWorker("layout");
  if (!worker) return (await import("./layout.ts")).layOut(arrangement);
  try {
    return await new Promise((resolve, reject) => {
      worker.onmessage = ({ data }: MessageEvent<readonly Placed[]>) => resolve(data);
      worker.onerror = ({ message }) => reject(new Error(`The layout failed: ${message}`));
      worker.postMessage(arrangement);
    });
  } finally {
    worker.terminate();
  }
}
