import { InvalidArgumentError } from "commander";
import { type AddCommand, jsonOption, UsageError } from "../command.ts";

type Options = { readonly check?: true; readonly toTime?: Date | "latest"; readonly json?: true };

const notes = `
The database must be empty (a new DATABASE_URL or DATA_DIR). Either the whole backup is restored, or nothing. Restore the encryption key as well,
because otherwise the secrets of event endpoints cannot be decrypted. With --check, a temporary database on the same server is filled, compared
and dropped. With --to-time, the place is an archive (see ARCHIVE_TO), and the database at that time is restored into DATA_DIR, which must not
contain a database yet.`;

export const addRestore: AddCommand = (program, tools) => {
  program
    .command("restore")
    .description("Fill an empty database, and the storage, from a backup.")
    .argument(
      "<place>",
      "the file, or s3://bucket/name; with --to-time the folder, or s3://bucket/prefix, of an archive",
    )
    .option("--check", "only test the backup in a temporary database, and compare counts and checksums")
    .option(
      "--to-time <time>",
      "restore from an archive to this time, such as 2026-11-22T14:05:06Z, or to latest",
      timeOrLatest,
    )
    .option(...jsonOption)
    .addHelpText("after", notes)
    .action(async (place: string, { toTime, ...options }: Options) => {
      if (toTime !== undefined) {
        if (options.check)
          throw new UsageError('--check requires a backup: use "parley archive check" to check an archive.');
        const { restoreToTime } = await import("./to-time.ts");
        return await restoreToTime(tools, place, { ...options, toTime });
      }
      const { restore } = await import("./restore.ts");
      await restore(tools, place, options);
    });
};

/**
 * Parses a time, or `latest`. Rejects a time without a time zone, because it would mean a different time on each
 * machine.
 */
function timeOrLatest(text: string): Date | "latest" {
  if (text === "latest") return text;
  const time = new Date(text);
  if (!/^\d{4}-\d\d-\d\dT\d\d:\d\d.*(Z|[+-]\d\d:\d\d)$/.test(text) || Number.isNaN(time.getTime()))
    throw new InvalidArgumentError(
      "Expected a time with its zone, such as 2026-11-22T14:05:06Z or 2026-11-22T15:05:06+01:00, or latest.",
    );
  return time;
}
