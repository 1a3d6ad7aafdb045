import { join } from "node:path";
import { printSchema } from "../../src/platform/database/schema/schema.sql.ts";
import { createTestDatabase } from "./database.ts";

/** Regenerates sql/schema.sql from a database with all migrations. */
const database = await createTestDatabase();
const schema = await printSchema(database.sql);
await database.close();
await Bun.write(join(import.meta.dir, "../../sql/schema.sql"), schema);
process.stdout.write("Written sql/schema.sql\n");
