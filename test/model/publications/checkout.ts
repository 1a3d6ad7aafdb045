import { cp, mkdir, rm } from "node:fs/promises";
import { join } from "node:path";
import type { Tools } from "../../../src/commands/command.ts";
import { type DeployOptions, deploy } from "../../../src/commands/deploy/deploy.ts";
import { pull } from "../../../src/commands/deploy/pull.ts";
import { StartError } from "../../../src/config.ts";
import { listAt } from "../../../src/web/conversation/read.ts";
import type { Bot, Run } from "./run.ts";
import { textOf } from "./run.ts";

/**
 * A bot in a checkout: the text in its file, the text in its lock, and the version that was live according to the lock.
 */
export type File = {
  readonly folder: string;
  readonly bot: Bot;
  text: number;
  locked: number;
  published: number | null;
  isPublishing: boolean;
};

/** A folder of bots with the lock of one environment, as a pipeline uses it. */
export type Checkout = {
  readonly root: string;
  files: Map<string, File>;
  /** An earlier state of the folder. */
  former: { readonly root: string; readonly files: ReadonlyMap<string, File> } | undefined;
};

export const environment = "staging";

export function newCheckout(root: string): Checkout {
  return { root, files: new Map(), former: undefined };
}

/** The output of a command, and its exit code. */
export type Ended = { readonly code: number; readonly json: unknown; readonly told: readonly string[] };

export function runPull(run: Run): Promise<Ended> {
  return command(run, (tools) => pull(tools, environment, run.checkout.root, { json: true }));
}

export function runDeploy(run: Run, options: DeployOptions): Promise<Ended> {
  return command(run, (tools) =>
    deploy(tools, environment, run.checkout.root, { json: true, apply: true, ...options }),
  );
}

/** Runs a command as `parley` does. */
async function command(run: Run, act: (tools: Tools) => Promise<void>): Promise<Ended> {
  const { world, owner, workspaces, checkout } = run;
  await mkdir(checkout.root, { recursive: true });
  const project = { environments: { [environment]: { url: world.url, workspace: workspaces.home } } };
  await Bun.write(join(checkout.root, "parley.json"), JSON.stringify(project));
  let [printed, code] = ["", 0];
  const told: string[] = [];
  const tools: Tools = {
    environment: { PARLEY_TOKEN_STAGING: owner.user.token, DATA_DIR: checkout.root },
    print(text) {
      printed += text;
    },
    tell: (line) => void told.push(line),
    setExitCode(next) {
      code = next;
    },
  };
  try {
    await act(tools);
  } catch (error) {
    if (!(error instanceof StartError)) throw error;
    told.push(error.message);
    code = 1;
  }
  return { code, json: printed === "" ? undefined : JSON.parse(printed), told };
}

/** Changes a bot's text in its file. */
export async function editFile({ checkout }: Run, { folder, text }: File, to: number): Promise<void> {
  const path = join(checkout.root, folder, "bot.json");
  const before = await Bun.file(path).text();
  await Bun.write(path, before.replace(textOf(text), textOf(to)));
}

/** Stores the current folder, like a commit of its repository. */
export async function keepFolder({ checkout, world }: Run): Promise<void> {
  const root = world.newFolder();
  await cp(checkout.root, root, { recursive: true });
  checkout.former = { root, files: copied(checkout.files) };
}

/** Restores the stored folder, or only its lock. */
export async function takeFormer({ checkout }: Run, { isLockAlone }: { readonly isLockAlone: boolean }): Promise<void> {
  const { root, former } = checkout;
  if (!former) return;
  const lock = `parley.${environment}.lock.json`;
  if (isLockAlone) {
    await cp(join(former.root, lock), join(root, lock));
    for (const [folder, file] of checkout.files) {
      const before = former.files.get(folder);
      if (before) Object.assign(file, { ...before, text: file.text });
      else checkout.files.delete(folder);
    }
    return;
  }
  await rm(root, { recursive: true });
  await cp(former.root, root, { recursive: true });
  checkout.files = copied(former.files);
}

function copied(files: ReadonlyMap<string, File>): Map<string, File> {
  return new Map([...files].map(([folder, file]) => [folder, { ...file }]));
}

/** Returns the bots of the lock file. */
export async function readLock({ checkout }: Run): Promise<readonly Readonly<Record<string, unknown>>[]> {
  const lock: unknown = await Bun.file(join(checkout.root, `parley.${environment}.lock.json`)).json();
  return listAt(Object(lock), "bots").map((each) => Object(each));
}
