import { type Config, ConfigError, readConfig } from "../../config.ts";
import { openObjects } from "../../platform/archive/objects.ts";
import { fetchWal, keepWal, segmentBytes } from "../../platform/archive/wal.ts";
import { archiveVoice, isRoomScarce, noteGap } from "../../platform/embedded/archiving.ts";
import type { Tools } from "../command.ts";

const failed = 1;
/** PostgreSQL aborts a recovery at this exit code. It interprets exit code 1 as the end of the log. */
const broken = 200;

type Asked = { readonly path: string; readonly name: string };

/**
 * Implements PostgreSQL's `archive_command`: PostgreSQL may delete the file after exit code 0, and retries otherwise.
 * If the disk is nearly full, a file that cannot be archived is dropped, and the gap is recorded.
 */
export async function keepForDatabase({ environment, tell, setExitCode }: Tools, { path, name }: Asked): Promise<void> {
  try {
    const { place, config } = placeOf(environment);
    await keepWal(openObjects(place, config), { path, name });
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    tell(`${archiveVoice}${reason}`);
    const dataDir = environment["DATA_DIR"];
    if (dataDir === undefined || !isRoomScarce(process.cwd(), segmentBytes)) return setExitCode(failed);
    noteGap(dataDir, `${name} was dropped to free space for chats: ${reason}`);
    tell(
      `${archiveVoice}${reason} The files that wait for the archive need more space than is available, so this file is dropped.`,
    );
  }
}

/** Implements PostgreSQL's `restore_command`. */
export async function fetchForDatabase(
  { environment, tell, setExitCode }: Tools,
  { path, name }: Asked,
): Promise<void> {
  try {
    const { place, config } = placeOf(environment);
    if (!(await fetchWal(openObjects(place, config), { path, name }))) setExitCode(failed);
  } catch (error) {
    tell(`${archiveVoice}${error instanceof Error ? error.message : String(error)}`);
    setExitCode(broken);
  }
}

function placeOf(environment: Tools["environment"]): { place: string; config: Config } {
  const config = readConfig(environment);
  if (config.ARCHIVE_TO === undefined) throw new ConfigError("Set ARCHIVE_TO to the place of the archive.");
  return { place: config.ARCHIVE_TO, config };
}
