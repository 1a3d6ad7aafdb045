import { type AddCommand, jsonOption } from "../command.ts";

const notes = `
The service archives to the place in ARCHIVE_TO, and "parley restore PLACE --to-time TIME" restores a database from there.`;

export const addArchive: AddCommand = (program, tools) => {
  const archive = program
    .command("archive")
    .description("Inspect the archive of an embedded database.")
    .addHelpText("after", notes);

  const looks = {
    list: "List base copies, and the times to which you can restore.",
    check: "Read every file of an archive, and list incomplete, changed and missing files.",
  };
  for (const name of ["list", "check"] as const) {
    archive
      .command(name)
      .description(looks[name])
      .argument("[place]", "a folder, or s3://bucket/prefix (default: ARCHIVE_TO)")
      .option(...jsonOption)
      .action(async (place: string | undefined, options: { readonly json?: true }) =>
        (await import("./archive.ts"))[name](tools, place, options),
      );
  }

  // PostgreSQL runs these hidden commands.
  archive
    .command("keep", { hidden: true })
    .description("Add a WAL file of PostgreSQL to the archive.")
    .argument("<path>")
    .argument("<name>")
    .action(async (path: string, name: string) => {
      const { keepForDatabase } = await import("./for-database.ts");
      await keepForDatabase(tools, { path, name });
    });

  archive
    .command("fetch", { hidden: true })
    .description("Fetch a WAL file of PostgreSQL from the archive.")
    .argument("<name>")
    .argument("<path>")
    .action(async (name: string, path: string) => {
      const { fetchForDatabase } = await import("./for-database.ts");
      await fetchForDatabase(tools, { path, name });
    });
};
