import { version } from "../../package.json";
import { limits } from "../limits/index.ts";
import type { MigrationNote } from "../platform/database/schema/migrate.sql.ts";
import type { Sql } from "../platform/database/sql.ts";
import type { AddCommand } from "./command.ts";

export const addMigrate: AddCommand = (program, { environment, print, tell }) => {
  program
    .command("migrate")
    .description("Migrate the database to this release, and exit.")
    .action(async () => {
      const { withDatabase } = await import("./database.ts");
      const { migrate } = await import("../platform/database/schema/migrate.sql.ts");
      const { migrations } = await import("../platform/database/migrations.ts");
      const onNote = ({ note, ...facts }: MigrationNote) => tell(`${note}: ${JSON.stringify(facts)}`);
      const work = (sql: Sql) => migrate(sql, undefined, { onNote, answerMs: limits.database.patienceMs });
      const names = await withDatabase(environment, work, { tell });
      if (names.length === 0) return print("The database is up to date.\n");
      print(names.map((name) => `Ran ${name}\n`).join(""));
      if (names.length === migrations.length) return;
      tell(`From now on, nodes of releases before ${version} do not start on this database.`);
    });
};
