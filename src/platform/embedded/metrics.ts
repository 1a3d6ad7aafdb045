import { statfs } from "node:fs/promises";
import { Gauge, Registry } from "prom-client";

/** The metrics of DATA_DIR's disk. */
export function createDiskMetrics(dataDir: string): Registry {
  const registry = new Registry();
  const registers = [registry];
  const gauge = (name: string, help: string, read: (disk: { bavail: number; blocks: number }) => number): void => {
    new Gauge({
      name,
      help,
      registers,
      async collect() {
        const disk = await statfs(dataDir);
        this.set(read(disk) * disk.bsize);
      },
    });
  };
  gauge("parley_disk_free_bytes", "Room on the disk of DATA_DIR.", ({ bavail }) => bavail);
  gauge("parley_disk_size_bytes", "Size of the disk of DATA_DIR.", ({ blocks }) => blocks);
  return registry;
}
