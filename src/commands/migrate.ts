import type { AddCommand } from "./command.ts";

export const addMigrate: AddCommand = (program, { environment, print }) => {
  program
    .command("migrate")
    .description("Bring the database to this release and end.")
    .action(async () => {
      const { withDatabase } = await import("./database.ts");
      const { migrate } = await import("../store/database/migrate.ts");
      const names = await withDatabase(environment, (sql) => migrate(sql));
      print(names.length === 0 ? "The database is up to date.\n" : names.map((name) => `Ran ${name}\n`).join(""));
    });
};
