import { type AddCommand, jsonOption, wholeNumber } from "../command.ts";
import type { BackupOptions } from "./back-up.ts";

const notes = `
In it is everything that the database and the storage of visitors' files hold, as of one moment, while chats go on. The encryption
key is not in it: keep a copy of ENCRYPTION_KEY, or of DATA_DIR/encryption-key, somewhere else. For s3:// the S3_ settings count.
In a folder each backup is named by its time, and the newest always stays.`;

export const addBackup: AddCommand = (program, tools) => {
  program
    .command("backup")
    .description("Write a backup of everything, while visitors talk.")
    .argument("<place>", "a file that is not there yet, s3://bucket/name, or a folder: backups/, s3://bucket/backups/")
    .option("--keep <count>", "in a folder: remove all but the newest so many", wholeNumber)
    .option(
      "--keep-days <days>",
      "in a folder: remove those that are older; with --keep, what either keeps stays",
      wholeNumber,
    )
    .option(...jsonOption)
    .addHelpText("after", notes)
    .action(async (place: string, options: BackupOptions) => {
      const { backUp } = await import("./back-up.ts");
      await backUp(tools, place, options);
    });
};
