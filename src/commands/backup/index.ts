import { type AddCommand, jsonOption, wholeNumber } from "../command.ts";
import type { BackupOptions } from "./back-up.ts";

const notes = `
A backup has the whole database and all files of visitors, as of one moment; chats continue meanwhile. It does not have the encryption
key: keep a copy of ENCRYPTION_KEY, or of DATA_DIR/encryption-key, somewhere else. For s3:// it uses the S3_ settings.
In a folder each backup is named by its time, and the newest is never removed.`;

export const addBackup: AddCommand = (program, tools) => {
  program
    .command("backup")
    .description("Back up everything while the service runs.")
    .argument("<place>", "a new file, s3://bucket/name, or a folder: backups/, s3://bucket/backups/")
    .option("--keep <count>", "in a folder: keep this many of the newest backups", wholeNumber)
    .option(
      "--keep-days <days>",
      "in a folder: remove older backups; with --keep, a backup stays if one of the two keeps it",
      wholeNumber,
    )
    .option(...jsonOption)
    .addHelpText("after", notes)
    .action(async (place: string, options: BackupOptions) => {
      const { backUp } = await import("./back-up.ts");
      await backUp(tools, place, options);
    });
};
