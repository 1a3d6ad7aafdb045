import type { AddCommand } from "./command.ts";

export const addSchema: AddCommand = (program, { environment, print }) => {
  program
    .command("schema")
    .description("Print the database's schema.")
    .action(async () => {
      const { withDatabase } = await import("./database.ts");
      const { printSchema } = await import("../platform/database/schema/schema.sql.ts");
      print(await withDatabase(environment, (sql) => printSchema(sql)));
    });
};
