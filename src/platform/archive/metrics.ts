import { Gauge, Registry } from "prom-client";
import type { ArchiveFigures } from "./watch.ts";

/** The metrics of the archive of an embedded database. */
export function createArchiveMetrics(figures: () => ArchiveFigures): Registry {
  const registry = new Registry();
  const registers = [registry];
  const gauge = (name: string, help: string, read: (now: ArchiveFigures) => number | undefined): void => {
    new Gauge({
      name,
      help,
      registers,
      collect() {
        const value = read(figures());
        if (value !== undefined) this.set(value);
      },
    });
  };
  const seconds = (time: Date | undefined) => time && time.getTime() / 1_000;
  gauge("parley_archive_up", "Whether the archive took the last that was given to it, 1 or 0.", ({ isTaking }) =>
    Number(isTaking),
  );
  gauge(
    "parley_archive_waiting_bytes",
    "What waits on the disk of DATA_DIR to be archived.",
    (now) => now.waitingBytes,
  );
  gauge("parley_archive_gaps", "Gaps in the archive since the start.", (now) => now.gaps);
  gauge(
    "parley_archive_written_time_seconds",
    "When it took something last, in seconds since 1970; 0 for never.",
    (now) => seconds(now.archivedAt) ?? 0,
  );
  gauge(
    "parley_archive_base_time_seconds",
    "When the newest base copy was taken, in seconds since 1970; 0 for never.",
    (now) => seconds(now.baseAt) ?? 0,
  );
  return registry;
}
