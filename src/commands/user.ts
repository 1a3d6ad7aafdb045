import { type AddCommand, jsonOption, printJson } from "./command.ts";

type CreateOptions = { readonly name: string; readonly email?: string; readonly json?: true };

export const addUser: AddCommand = (program, tools) => {
  const { environment, print, tell } = tools;
  const user = program.command("user").description("Make and list users.");

  user
    .command("create")
    .description("Make a user and print their first API token, which may write: the only time that it can be seen.")
    .requiredOption("--name <name>", "what people call them")
    .option("--email <address>", "where invitations find them")
    .option(...jsonOption)
    .action(async ({ name, email, json }: CreateOptions) => {
      const { withDatabase } = await import("./database.ts");
      const { createUser } = await import("../management/people/users.ts");
      const made = await withDatabase(environment, (sql) => createUser({ sql }, { name, email: email ?? null }));
      if (json) return printJson(tools, made);
      tell(`User ${made.user.id} with token ${made.apiToken.id} (${made.apiToken.scope}); it is shown this once:`);
      print(`${made.apiToken.token}\n`);
    });

  user
    .command("list")
    .description("List all users, newest first.")
    .option(...jsonOption)
    .action(async ({ json }: { readonly json?: true }) => {
      const { withDatabase } = await import("./database.ts");
      const { listAllUsers } = await import("../management/people/users.sql.ts");
      const users = await withDatabase(environment, listAllUsers);
      if (json) return printJson(tools, { users });
      for (const { id, name, email, isAdministrator } of users) {
        print(`${id}  ${name}${email === null ? "" : ` <${email}>`}${isAdministrator ? " (administrator)" : ""}\n`);
      }
    });
};
