import { parseArgs } from "node:util";
import { type Config, readConfig } from "./config.ts";
import { shareDatabase } from "./embedded/database.ts";
import { createLog } from "./log.ts";
import { serve } from "./main.ts";
import { createOperatorToken, listOperatorTokens, revokeOperatorToken } from "./services/operator-tokens.ts";
import { migrate } from "./store/database/migrate.ts";
import { printSchema } from "./store/database/schema.ts";
import { connect, type Sql } from "./store/database/sql.ts";
import { asStartError } from "./store/database/start-error.ts";
import { type Scope, scopes } from "./store/tokens.ts";

/** A command line that makes no sense: the message is shown with a hint at `help`, and the exit code is 2. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}

export type Environment = Readonly<Record<string, string | undefined>>;

const help = `Usage: parley [command]

  serve                    Start the service (the default).
  migrate                  Bring the database to this release and end.
  token create             Make an API token and print it.
      --name <name>          What it is for (default: "Command line").
      --scope <scope>        read, write or admin (default: admin).
      --user <id or e-mail>  Whose token (default: the first administrator's).
  token list               List all API tokens.
  token revoke <id>        Revoke an API token.
  schema                   Print the database's schema.
  help                     Show this.

Settings are environment variables: see README.md.
`;

/** Runs one command and returns the exit code. Throws UsageError, StartError and AppError with a sentence for the operator. */
export async function runCommand(args: readonly string[], environment: Environment): Promise<number> {
  const [command = "serve", ...rest] = args;
  switch (command) {
    case "serve":
      return expectNoArguments(rest) ?? (await serve(environment));
    case "migrate":
      return expectNoArguments(rest) ?? (await withDatabase(environment, migrateDatabase));
    case "token":
      return await withDatabase(environment, tokenCommand(rest));
    case "schema":
      return expectNoArguments(rest) ?? (await withDatabase(environment, async (sql) => print(await printSchema(sql))));
    case "help":
    case "--help":
    case "-h":
      return print(help);
    default:
      throw new UsageError(`There is no command "${command}".`);
  }
}

type Work = (sql: Sql) => Promise<number>;

function print(text: string): number {
  process.stdout.write(text);
  return 0;
}

function expectNoArguments(args: readonly string[]): undefined {
  if (args.length > 0) throw new UsageError(`Unexpected argument "${args.join(" ")}".`);
}

async function migrateDatabase(sql: Sql): Promise<number> {
  const names = await migrate(sql);
  return print(names.length === 0 ? "The database is up to date.\n" : names.map((name) => `Ran ${name}\n`).join(""));
}

/** Reads the whole command before the database is touched. */
function tokenCommand([action, ...rest]: readonly string[]): Work {
  switch (action) {
    case "create":
      return createToken(rest);
    case "list":
      expectNoArguments(rest);
      return listTokens;
    case "revoke":
      return revokeToken(rest);
    default:
      throw new UsageError('"token" is followed by create, list or revoke.');
  }
}

function createToken(args: readonly string[]): Work {
  const { name = "Command line", scope = "admin", user } = readCreateOptions(args);
  if (!isScope(scope)) throw new UsageError(`A scope is ${scopes.join(", ")}.`);
  return async (sql) => {
    const { id, token } = await createOperatorToken(sql, { name, scope, user });
    process.stderr.write(`Token ${id} (${scope}); it is shown this once:\n`);
    return print(`${token}\n`);
  };
}

function readCreateOptions(args: readonly string[]): { name?: string; scope?: string; user?: string } {
  const text = { type: "string" } as const;
  try {
    return parseArgs({ args: [...args], options: { name: text, scope: text, user: text } }).values;
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
}

function isScope(text: string): text is Scope {
  return scopes.some((scope) => scope === text);
}

async function listTokens(sql: Sql): Promise<number> {
  const lines = (await listOperatorTokens(sql)).map((token) => {
    const lastUse = token.lastUsedAt === null ? "never used" : `last used ${token.lastUsedAt.toISOString()}`;
    return `${token.id}  ${token.scope.padEnd(5)}  ${token.userName}: ${token.name} (${lastUse})\n`;
  });
  return print(lines.join(""));
}

function revokeToken([id, ...rest]: readonly string[]): Work {
  expectNoArguments(rest);
  if (id === undefined) throw new UsageError('"token revoke" is followed by the id of a token, see "token list".');
  return async (sql) => {
    await revokeOperatorToken(sql, id);
    return print(`Revoked ${id}\n`);
  };
}

/** Runs the work on the configured database, also while a service runs on it. */
async function withDatabase(environment: Environment, work: Work): Promise<number> {
  const config: Config = readConfig(environment);
  const log = createLog(config.LOG_LEVEL);
  const database = await shareDatabase(config, { log, onLost: (error) => log.error(error.message) });
  const sql = connect(database.url, { connections: 2 });
  try {
    return await work(sql);
  } catch (error) {
    throw asStartError(error);
  } finally {
    await sql.end();
    await database.close();
  }
}
