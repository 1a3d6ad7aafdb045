import { statfs } from "node:fs/promises";
import { createGauges } from "../observing/gauges.ts";
import type { Registry } from "../observing/prometheus.ts";

/** Creates the metrics for the disk of DATA_DIR. */
export function createDiskMetrics(dataDir: string): Registry {
  const { registry, add } = createGauges();
  const bytesOf = async (which: "bavail" | "blocks") => {
    const disk = await statfs(dataDir);
    return disk[which] * disk.bsize;
  };
  add("parley_disk_free_bytes", "Free space on the disk of DATA_DIR.", () => bytesOf("bavail"));
  add("parley_disk_size_bytes", "Size of the disk of DATA_DIR.", () => bytesOf("blocks"));
  return registry;
}
