import { createGauges } from "../observing/gauges.ts";
import type { Registry } from "../observing/prometheus.ts";
import type { ArchiveFigures } from "./watch.ts";

/** Creates the metrics for the archive of an embedded database. */
export function createArchiveMetrics(figures: () => ArchiveFigures): Registry {
  const { registry, add } = createGauges();
  const seconds = (time: Date | undefined) => (time ? time.getTime() / 1_000 : 0);
  add("parley_archive_up", "Whether the last write to the archive succeeded: 1 or 0.", () =>
    Number(figures().isTaking),
  );
  add(
    "parley_archive_waiting_bytes",
    "Bytes on the disk of DATA_DIR that wait to be archived.",
    () => figures().waitingBytes,
  );
  add("parley_archive_gaps", "Gaps in the archive since the start.", () => figures().gaps);
  add(
    "parley_archive_written_time_seconds",
    "Time of the last successful write to the archive, in seconds since 1970; 0 for never.",
    () => seconds(figures().archivedAt),
  );
  add("parley_archive_base_time_seconds", "Time of the newest base copy, in seconds since 1970; 0 for never.", () =>
    seconds(figures().baseAt),
  );
  return registry;
}
