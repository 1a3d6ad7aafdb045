import { type AddCommand, jsonOption, printJson } from "./command.ts";

type CreateOptions = { readonly name: string; readonly email?: string; readonly json?: true };

export const addUser: AddCommand = (program, tools) => {
  const { environment, print, tell } = tools;
  const user = program.command("user").description("Create and list users.");

  user
    .command("create")
    .description(
      "Create a user and print the user's first API token, which has the scope write. The token is shown only once.",
    )
    .requiredOption("--name <name>", "the name that other people see")
    .option("--email <address>", "the address for invitations and sign-in codes")
    .option(...jsonOption)
    .action(async ({ name, email, json }: CreateOptions) => {
      const { withDatabase } = await import("./database.ts");
      const { createUser } = await import("../management/people/users.ts");
      const made = await withDatabase(environment, (sql) => createUser({ sql }, { name, email: email ?? null }));
      if (json) return printJson(tools, made);
      tell(`User ${made.user.id} with token ${made.apiToken.id} (${made.apiToken.scope}), which is shown only once:`);
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
