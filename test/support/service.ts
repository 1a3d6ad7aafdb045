import { join } from "node:path";
import { temporaryFolder } from "./folder.ts";
import { commandOf } from "./programs.ts";
import { waitFor } from "./wait.ts";

/** The service in a separate process, as an operator starts it. */
export type Service = {
  readonly pid: number;
  /** The service's URL, known once the service is ready. */
  readonly url: string;
  stdout(): string;
  stderr(): string;
  signal(signal: NodeJS.Signals): void;
  /** Resolves to the exit code, or to null if a signal ended the process. */
  readonly exited: Promise<number | null>;
};

export type ServiceOptions = {
  readonly environment?: Readonly<Record<string, string>>;
  /**
   * The program and its first arguments. Defaults to the command line of this checkout, from the bundle of test/run.ts
   * if there is one.
   */
  readonly command?: readonly string[];
  readonly cwd?: string;
  readonly input?: string;
};

/** The command line of this checkout from source, as `npm start` runs it. */
export const sourceCommand = [process.execPath, join(import.meta.dir, "../../src/cli.ts")];

/** Starts a service on a free port of the loopback address, and waits until it reports that it is ready. */
export async function startService(options: ServiceOptions = {}): Promise<Service> {
  const service = startCommand(["serve"], options);
  const isOver = () => service.exitCode() !== undefined;
  const ready = await waitFor(() => isOver() || /API: (http:\S+)\/api\/v1/.exec(service.stdout())?.[1], {
    // Several processes start simultaneously, possibly while other tests run.
    withinMs: 180_000,
    what: "the service to be ready",
  });
  if (ready === true) throw new Error(`The service ended: ${service.stdout()}${service.stderr()}`);
  return { ...service, url: ready };
}

/** Runs a command until it exits. */
export async function runCommand(
  words: readonly string[],
  options: ServiceOptions = {},
): Promise<{ exitCode: number | null; stdout: string; stderr: string }> {
  const command = startCommand(words, options);
  const exitCode = await command.exited;
  return { exitCode, stdout: command.stdout(), stderr: command.stderr() };
}

type Running = Omit<Service, "url"> & { exitCode(): number | null | undefined };

export function startCommand(words: readonly string[], options: ServiceOptions): Running {
  const { environment = {}, command = commandOf("src/cli.ts"), cwd, input = "" } = options;
  const child = Bun.spawn([...command, ...words], {
    // Passes only basic variables, so that the settings of the person who runs the tests do not affect the service.
    env: {
      PATH: process.env["PATH"] ?? "",
      HOME: process.env["HOME"] ?? "",
      HOST: "127.0.0.1",
      PORT: "0",
      // A fixed number, so that tests do not depend on the machine. Tests with several processes override it.
      PROCESSES: "1",
      ...environment,
    },
    ...(cwd === undefined ? {} : { cwd }),
    stdin: Buffer.from(input),
    stdout: "pipe",
    stderr: "pipe",
  });
  const stdout = collect(child.stdout);
  const stderr = collect(child.stderr);
  let exitCode: number | null | undefined;
  const exited = Promise.all([child.exited, stdout.ended, stderr.ended]).then(() => {
    exitCode = child.exitCode;
    return child.exitCode;
  });
  return {
    pid: child.pid,
    stdout: stdout.text,
    stderr: stderr.text,
    signal: (signal) => child.kill(signal),
    exited,
    exitCode: () => exitCode,
  };
}

/** Returns the message of the last line of a service's log. Every line is JSON. */
export function lastMessage({ stderr }: { readonly stderr: string }): unknown {
  const messages = stderr
    .trimEnd()
    .split("\n")
    .map((line): unknown => Object(JSON.parse(line)).message);
  return messages.at(-1);
}

function collect(stream: ReadableStream<Uint8Array>): { text(): string; ended: Promise<void> } {
  let text = "";
  const decoder = new TextDecoder();
  const read = async () => {
    for await (const chunk of stream) text += decoder.decode(chunk, { stream: true });
  };
  return { text: () => text, ended: read() };
}

/** Collects clean-ups and runs them in reverse order. */
export function cleanupStack() {
  const cleanups: (() => unknown)[] = [];
  return {
    add(cleanup: () => unknown) {
      cleanups.push(cleanup);
    },
    folder(): string {
      const folder = temporaryFolder();
      cleanups.push(folder.remove);
      return folder.path;
    },
    async run() {
      for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
    },
  };
}

/** Stops a service and waits for its end. Kills the service after 30 s. */
export async function endService(service: Service): Promise<void> {
  service.signal("SIGTERM");
  const impatience = setTimeout(() => service.signal("SIGKILL"), 30_000);
  await service.exited;
  clearTimeout(impatience);
}
