import { InvalidArgumentError } from "commander";
import { type AddCommand, jsonOption, UsageError } from "../command.ts";

type Options = { readonly check?: true; readonly toTime?: Date | "latest"; readonly json?: true };

const notes = `
The database has to be empty (a new DATABASE_URL or DATA_DIR), and gets all of the backup or nothing. Restore the encryption key, too, or
the secrets of event endpoints cannot be read. With --check a temporary database on the same server is filled, compared and dropped.
With --to-time the place is an archive (see ARCHIVE_TO): DATA_DIR, which has no database yet, gets the database of that time.`;

export const addRestore: AddCommand = (program, tools) => {
  program
    .command("restore")
    .description("Fill an empty database, and the storage, from a backup.")
    .argument(
      "<place>",
      "the file, or s3://bucket/name; with --to-time the folder, or s3://bucket/prefix, of an archive",
    )
    .option("--check", "only test it in a temporary database, and compare counts and sums")
    .option("--to-time <time>", "from an archive: such as 2026-11-22T14:05:06Z, or latest", timeOrLatest)
    .option(...jsonOption)
    .addHelpText("after", notes)
    .action(async (place: string, { toTime, ...options }: Options) => {
      if (toTime !== undefined) {
        if (options.check)
          throw new UsageError('--check is for backups: an archive is read whole by "parley archive check".');
        const { restoreToTime } = await import("./to-time.ts");
        return await restoreToTime(tools, place, { ...options, toTime });
      }
      const { restore } = await import("./restore.ts");
      await restore(tools, place, options);
    });
};

/** A time without a time zone is rejected, because it would mean a different time on each machine. */
function timeOrLatest(text: string): Date | "latest" {
  if (text === "latest") return text;
  const time = new Date(text);
  if (!/^\d{4}-\d\d-\d\dT\d\d:\d\d.*(Z|[+-]\d\d:\d\d)$/.test(text) || Number.isNaN(time.getTime()))
    throw new InvalidArgumentError(
      "Expected a time with its zone, such as 2026-11-22T14:05:06Z or 2026-11-22T15:05:06+01:00, or latest.",
    );
  return time;
}
