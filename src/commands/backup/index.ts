import { type AddCommand, jsonOption, wholeNumber } from "../command.ts";
import type { BackupOptions } from "./back-up.ts";

const notes = `
A backup contains the whole database at one moment, and the files that it refers to; chats continue during the backup. It does not contain the
encryption key: store a copy of ENCRYPTION_KEY, or of DATA_DIR/encryption-key, in another place. For s3://, it uses the S3_ settings.
In a folder, each backup is named after its time, and the newest backup is never removed.`;

export const addBackup: AddCommand = (program, tools) => {
  program
    .command("backup")
    .description("Back up everything while the service runs.")
    .argument("<place>", "a new file, s3://bucket/name, or a folder: backups/, s3://bucket/backups/")
    .option("--keep <count>", "in a folder: keep this number of the newest backups", wholeNumber)
    .option(
      "--keep-days <days>",
      "in a folder: remove backups that are older; with --keep, a backup stays if either option keeps it",
      wholeNumber,
    )
    .option(...jsonOption)
    .addHelpText("after", notes)
    .action(async (place: string, options: BackupOptions) => {
      const { backUp } = await import("./back-up.ts");
      await backUp(tools, place, options);
    });
};
