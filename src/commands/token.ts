import { Option } from "commander";
import { type Scope, scopes } from "../management/access/tokens.sql.ts";
import { type AddCommand, jsonOption, printJson } from "./command.ts";

type CreateOptions = { readonly name: string; readonly scope: Scope; readonly user?: string; readonly json?: true };

export const addToken: AddCommand = (program, tools) => {
  const { environment, print, tell } = tools;
  const token = program.command("token").description("Create, list and revoke API tokens.");

  token
    .command("create")
    .description("Create an API token and print it. The token is shown only once.")
    .option("--name <name>", "the token's purpose", "Command line")
    .addOption(new Option("--scope <scope>", "the token's scope").choices(scopes).default("admin"))
    .option("--user <id or e-mail>", "the owner (default: the first administrator)")
    .option(...jsonOption)
    .action(async ({ name, scope, user, json }: CreateOptions) => {
      const { withDatabase } = await import("./database.ts");
      const { createOperatorToken } = await import("../management/people/operator-tokens.ts");
      const made = await withDatabase(environment, (sql) => createOperatorToken(sql, { name, scope, user }));
      if (json) return printJson(tools, { ...made, name, scope });
      tell(`Token ${made.id} (${scope}), which is shown only once:`);
      print(`${made.token}\n`);
    });

  token
    .command("list")
    .description("List all API tokens, newest first.")
    .option(...jsonOption)
    .action(async ({ json }: { readonly json?: true }) => {
      const { withDatabase } = await import("./database.ts");
      const { listOperatorTokens } = await import("../management/people/operator-tokens.ts");
      const rows = await withDatabase(environment, listOperatorTokens);
      if (json) return printJson(tools, { tokens: rows });
      for (const row of rows) {
        const lastUse = row.lastUsedAt === null ? "never used" : `last used ${row.lastUsedAt.toISOString()}`;
        print(`${row.id}  ${row.scope.padEnd(5)}  ${row.userName}: ${row.name} (${lastUse})\n`);
      }
    });

  token
    .command("revoke")
    .description("Revoke an API token immediately.")
    .argument("<id>", 'the token\'s id, see "token list"')
    .action(async (id: string) => {
      const { withDatabase } = await import("./database.ts");
      const { revokeOperatorToken } = await import("../management/people/operator-tokens.ts");
      await withDatabase(environment, (sql) => revokeOperatorToken(sql, id));
      print(`Revoked ${id}\n`);
    });
};
