import { afterAll, afterEach, expect, setDefaultTimeout, test } from "bun:test";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { isLong } from "../support/campaigns.ts";
import { createTestDatabase } from "../support/database.ts";
import { longTest } from "../support/long-test.ts";
import {
  cleanupStack,
  endService,
  lastMessage,
  runCommand,
  type Service,
  sourceCommand,
  startService,
} from "../support/service.ts";

setDefaultTimeout(60_000);

const database = await createTestDatabase();
const environment = { DATABASE_URL: database.url, ADMIN_TOKEN: "the operator's own token", WORKER_THREADS: "1" };
const cleanups = cleanupStack();
/** A service on the same database as the commands. */
let service: Service | undefined;
afterEach(cleanups.run);
afterAll(async () => {
  if (service) await endService(service);
  await database.close();
});

async function startHere(): Promise<string> {
  service ??= await startService({ environment });
  return service.url;
}

async function statusWith(url: string, token: string): Promise<number> {
  const response = await fetch(`${url}/api/v1/users/me`, { headers: { authorization: `Bearer ${token}` } });
  await response.body?.cancel();
  return response.status;
}

test("help lists the commands and the exit codes", async () => {
  const { exitCode, stdout } = await runCommand(["help"]);

  expect(exitCode).toBe(0);
  for (const command of ["serve", "migrate", "token", "user", "schema", "licences", "help", "complete"]) {
    expect(stdout).toMatch(new RegExp(`^ {2}${command} `, "m"));
  }
  expect(stdout).toContain("Exit codes:");
});

test.each([
  [["tokens"], "Unknown command 'tokens'. Did you mean token? "],
  [["serve", "now"], "Too many arguments for 'serve'. Expected 0 arguments but got 1: now. "],
  [
    ["token", "create", "--scope", "all"],
    "Option '--scope <scope>' argument 'all' is invalid. Allowed choices are read, write, admin. ",
  ],
  [["token", "create", "--nam", "x"], "Unknown option '--nam'. Did you mean --name? "],
  [["token", "revoke"], "Missing required argument 'id'. "],
  [["user", "create"], "Required option '--name <name>' not specified. "],
  ...(isLong ? ["0", "1e3", "0x10", " 5 ", "5.0", "10000000"] : ["1e3", "10000000"]).map((text): [string[], string] => [
    ["impact", "bot", "--last", text],
    `Option '--last <n>' argument '${text}' is invalid. It must be a whole number from 1 to 9999999. `,
  ]),
])("the arguments %p cause an error message and exit code 2", async (words, sentence) => {
  const { exitCode, stdout, stderr } = await runCommand(words);

  expect(exitCode).toBe(2);
  expect(stdout).toBe("");
  expect(stderr).toStartWith(sentence);
  expect(stderr).toEndWith('Try "parley help".\n');
});

test("a command whose reader closes the pipe exits with code 0", async () => {
  const script = '{ "$@"; echo "exit code $?" >&2; } | head -n 1';
  const shell = Bun.spawn(["sh", "-c", script, "sh", ...sourceCommand, "doctor"], {
    env: { PATH: process.env["PATH"] ?? "", DATA_DIR: cleanups.folder(), PORT: "0" },
    stdout: "pipe",
    stderr: "pipe",
  });

  expect(await new Response(shell.stderr).text()).toBe("exit code 0\n");
  expect(await new Response(shell.stdout).text()).toMatch(/^fine {4}Versions: .*\n$/);
});

test("a changed ADMIN_TOKEN replaces the old token at the next start", async () => {
  const first = await startHere();
  expect(await statusWith(first, environment.ADMIN_TOKEN)).toBe(200);
  if (service) await endService(service);

  service = await startService({ environment: { ...environment, ADMIN_TOKEN: "quite another token" } });

  expect(await statusWith(service.url, environment.ADMIN_TOKEN)).toBe(401);
  expect(await statusWith(service.url, "quite another token")).toBe(200);
  expect(service.stdout()).not.toContain("First start");
});

test("a token can be created, listed and revoked on the command line", async () => {
  const url = await startHere();

  const created = await runCommand(["token", "create", "--name", "Backup", "--scope", "read"], { environment });
  expect(created.exitCode).toBe(0);
  const token = created.stdout.trim();
  expect(await statusWith(url, token)).toBe(200);

  const listed = await runCommand(["token", "list"], { environment });
  const line = listed.stdout.split("\n").find((text) => text.includes("Backup")) ?? "";
  expect(line).toMatch(/^[0-9a-z]{26} {2}read {3}Administrator: Backup \(last used \d{4}-/);
  expect(listed.stdout).not.toContain(token);

  const revoked = await runCommand(["token", "revoke", line.slice(0, 26)], { environment });
  expect(revoked.exitCode).toBe(0);
  expect(await statusWith(url, token)).toBe(401);
});

test("a user created on the command line is listed, and the user's token signs in", async () => {
  const url = await startHere();

  const created = await runCommand(["user", "create", "--name", "Ada", "--email", "ada@example.com"], { environment });
  const again = await runCommand(["user", "create", "--name", "Ada", "--email", "ADA@example.com"], { environment });
  const listed = await runCommand(["user", "list"], { environment });
  const asJson = await runCommand(["user", "list", "--json"], { environment });

  expect(await statusWith(url, created.stdout.trim())).toBe(200);
  expect(again).toEqual({ exitCode: 1, stdout: "", stderr: "Another user has this e-mail address.\n" });
  expect(listed.stdout).toMatch(
    /^[0-9a-z]{26} {2}Ada <ada@example.com>\n[0-9a-z]{26} {2}Administrator \(administrator\)\n$/,
  );
  expect(JSON.parse(asJson.stdout)).toMatchObject({ users: [{ name: "Ada" }, { isAdministrator: true }] });
});

test.each(isLong ? ["bash", "zsh", "fish"] : ["bash"])(
  "%s receives a completion script, and the completion of a command lists its subcommands",
  async (shell) => {
    expect((await runCommand(["complete", shell])).stdout).toContain("parley");
    expect((await runCommand(["complete", "--", "token", ""])).stdout).toContain(
      "revoke\tRevoke an API token immediately.\n",
    );
  },
);

test("an unknown token or user ends the command with exit code 1", async () => {
  const unknown = await runCommand(["token", "revoke", "0123456789abcdefghjkmnpqrs"], { environment });
  const nobody = await runCommand(["token", "create", "--user", "nobody@example.com"], { environment });

  expect(unknown).toEqual({ exitCode: 1, stdout: "", stderr: "API token not found.\n" });
  expect(nobody).toEqual({ exitCode: 1, stdout: "", stderr: "User not found.\n" });
});

test("commands share the embedded database of a running service", async () => {
  const embedded = { DATA_DIR: cleanups.folder(), WORKER_THREADS: "1" };
  const beside = await startService({ environment: embedded });
  cleanups.add(() => endService(beside));
  const while_ = await runCommand(["token", "list"], { environment: embedded });
  await endService(beside);

  const after = await runCommand(["token", "list"], { environment: embedded });

  expect(while_.stdout).toContain("Administrator: First token");
  expect(after).toEqual(while_);
});

test("the schema is printed completely, even into a pipe", async () => {
  const { stdout } = await runCommand(["schema"], { environment });

  expect(stdout).toBe(await Bun.file(join(import.meta.dir, "../../sql/schema.sql")).text());
});

test("an invalid setting stops the service with an error message", async () => {
  const ended = await runCommand(["serve"], { environment: { PORT: "http", LOG_LEVEL: "silent" } });

  expect(ended).toMatchObject({ exitCode: 1, stdout: "" });
  expect(lastMessage(ended)).toBe("PORT must be a whole number from 0 to 65535.");
});

test("a port that is already in use stops the service at the start", async () => {
  const other = Bun.serve({ port: 0, hostname: "127.0.0.1", fetch: () => new Response() });
  cleanups.add(() => other.stop(true));

  const ended = await runCommand(["serve"], { environment: { ...environment, PORT: String(other.port) } });

  expect(ended.exitCode).toBe(1);
  expect(lastMessage(ended)).toStartWith(`PORT ${other.port} on HOST 127.0.0.1 cannot be opened`);
  expect(lastMessage(ended)).toEndWith("end that program, or set PORT to another port.");
  expect(ended.stderr).not.toContain("    at ");
});

test.each(isLong ? ["PORT", "APP_PORT"] : ["APP_PORT"])(
  "a %s that another program uses is detected before the database is created",
  async (setting) => {
    const other = Bun.serve({ port: 0, hostname: "127.0.0.1", fetch: () => new Response() });
    cleanups.add(() => other.stop(true));
    const folder = cleanups.folder();

    await runCommand(["serve"], { environment: { [setting]: String(other.port), DATA_DIR: folder } });

    expect(readdirSync(folder)).toEqual([]);
  },
);

longTest("an unreachable database is reported without the password", async () => {
  const ended = await runCommand(["serve"], {
    environment: { DATABASE_URL: "postgres://parley:hidden@127.0.0.1:1/parley" },
  });

  expect(ended).toMatchObject({ exitCode: 1, stdout: "" });
  expect(lastMessage(ended)).toMatch(
    /^The database cannot be used: no server listens at its address \(.*\)\. Correct DATABASE_URL, .* It is postgres:\/\/parley@127\.0\.0\.1:1\/parley\.$/,
  );
  expect(ended.stderr).not.toContain("hidden");
});

test("a command on a database without tables recommends `migrate`", async () => {
  const empty = { DATA_DIR: cleanups.folder() };

  const { exitCode, stderr } = await runCommand(["token", "list"], { environment: empty });

  expect(exitCode).toBe(1);
  expect(stderr).toBe('The database refused: relation "api_tokens" does not exist. Run "migrate" first.\n');
});

test("the process runs in UTC even if TZ names another time zone", async () => {
  const preload = join(cleanups.folder(), "preload.ts");
  const printZone = "process.on('exit', () => process.stderr.write(String(new Date(2026, 6, 1).getTimezoneOffset())))";
  await Bun.write(preload, printZone);
  const [bun = "", cli = ""] = sourceCommand;
  const command = [bun, "--preload", preload, cli];

  const { stderr } = await runCommand(["help"], { command, environment: { TZ: "America/New_York" } });

  expect(stderr).toBe("0");
});
