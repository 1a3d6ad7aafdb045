import { readConfig } from "../../config.ts";
import { noteRestored } from "../../management/channels/copies.ts";
import { restoreArchive } from "../../platform/archive/restore.ts";
import { withoutTraces } from "../../platform/embedded/made-entries.ts";
import { createLog } from "../../platform/observing/log.ts";
import { printJson, type Tools } from "../command.ts";
import { awaitInterruption } from "../interruption.ts";
import { createProgress } from "../output/progress.ts";

type Options = { readonly toTime: Date | "latest"; readonly json?: true };

export async function restoreToTime(tools: Tools, place: string, { toTime, json }: Options): Promise<void> {
  const config = readConfig(tools.environment);
  const progress = createProgress(tools, "Restoring");
  const time = toTime === "latest" ? undefined : toTime;
  const log = createLog(config.LOG_LEVEL);
  const interruption = awaitInterruption();
  const { signal } = interruption;
  const restoring = withoutTraces(config.DATA_DIR, () =>
    restoreArchive({ config, place, time, log, onProgress: progress.add, signal }),
  );
  const { base, lastAt } = await restoring
    .catch((error: unknown) => {
      throw interruption.errorOf(error);
    })
    .finally(interruption.end);
  await noteRestored(config.DATA_DIR);
  const last = lastAt?.toISOString() ?? base.endedAt;
  if (json)
    return printJson(tools, { place, time: time?.toISOString() ?? "latest", base: base.name, lastWrittenAt: last });
  progress.end(
    "An archive does not contain visitors' files and the encryption key: restore both before you start the service.",
  );
  tools.print(`Restored ${config.DATA_DIR} from ${place}: its last write was at ${last}.\n`);
}
