import { join } from "node:path";
import { Glob } from "bun";
import { createTestApi, type TestApi, type TestUser } from "./api.ts";
import { testKey } from "./events.ts";
import { temporaryFolder } from "./folder.ts";
import { runCommandHere } from "./run-command.ts";

type Intercept = (request: Request) => Promise<Response | undefined>;

/** A service for `parley pull` and `parley deploy`, with projects. */
export type DeployWorld = {
  readonly api: TestApi;
  readonly url: string;
  /** Creates a new owner with two workspaces as environments, and a folder without bots. */
  openProject(): Promise<DeployProject>;
  /**
   * Calls `act` before the next request with this method whose URL contains `part`. If `act` returns a response, the
   * service does not receive the request.
   */
  before(method: string, part: string, act: Intercept): void;
  close(): Promise<void>;
};

export type DeployProject = {
  readonly owner: TestUser;
  readonly root: string;
  readonly staging: string;
  readonly production: string;
  run(...args: readonly string[]): ReturnType<typeof runCommandHere>;
  send(method: "post" | "patch" | "put" | "delete", path: string, body?: object): ReturnType<TestApi["client"]["get"]>;
  read(path: string): ReturnType<TestApi["client"]["get"]>;
  /** Creates a bot in the staging environment. */
  makeBot(name: string, flow: object, more?: object): Promise<string>;
  edit(path: string, from: string, to: string): Promise<void>;
  /** Returns all files of the folder except the lock files of the environments. */
  files(): Promise<Record<string, string>>;
  /** Returns the bots in an environment's lock file, by folder. */
  lock(environment: string): Promise<Record<string, LockEntry>>;
};

type LockEntry = Readonly<Record<string, unknown>> & { readonly folder: string; readonly id: string };

export async function openDeployWorld(): Promise<DeployWorld> {
  const folder = temporaryFolder();
  const api = await createTestApi({ config: { ENCRYPTION_KEY: testKey } });
  let rounds = 0;
  let awaited: { method: string; part: string; act: Intercept } | undefined;
  const server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    async fetch(request) {
      const { method, part, act } = awaited ?? {};
      const isAwaited = act && request.method === method && request.url.includes(part ?? "");
      if (isAwaited) awaited = undefined;
      return (isAwaited ? await act(request) : undefined) ?? api.handle(request);
    },
  });
  const url = `http://127.0.0.1:${server.port}`;
  return {
    api,
    url,
    before(method, part, act) {
      awaited = { method, part, act };
    },
    async openProject() {
      const owner = await api.makeUser({ name: "Ada" });
      const [staging, production] = [await api.makeWorkspace(owner), await api.makeWorkspace(owner)];
      const root = join(folder.path, `round-${++rounds}`);
      const environments = {
        staging: { url, workspace: staging },
        production: { url, workspace: production, tokenVariable: "PARLEY_LIVE" },
      };
      await Bun.write(join(root, "parley.json"), JSON.stringify({ environments }));
      return projectAt({ api, owner, root, staging, production, data: folder.path });
    },
    async close() {
      await server.stop(true);
      await api.close();
      folder.remove();
    },
  };
}

function projectAt({
  api,
  data,
  ...project
}: Pick<DeployProject, "owner" | "root" | "staging" | "production"> & { api: TestApi; data: string }): DeployProject {
  const { owner, root, staging } = project;
  const { token } = owner;
  const environment = { PARLEY_TOKEN_STAGING: token, PARLEY_LIVE: token, DATA_DIR: data };
  const send: DeployProject["send"] = (method, path, body = {}) =>
    api.client[method](`/api/v1/${path}`, { token, body });
  return {
    ...project,
    run: (...args) => runCommandHere(args, { environment, cwd: root }),
    send,
    read: (path) => api.client.get(`/api/v1/${path}`, { token }),
    async makeBot(name, flow, more = {}) {
      const made = await send("post", "bots", { workspaceId: staging, bot: { name, ...flow, ...more } });
      return made.text("bot.id");
    },
    async edit(path, from, to) {
      const file = join(root, path);
      await Bun.write(file, (await Bun.file(file).text()).replace(from, to));
    },
    async files() {
      const found = await Array.fromAsync(new Glob("**/*").scan({ cwd: root }));
      const names = found.filter((name) => !name.endsWith(".lock.json")).toSorted();
      const entries = names.map(async (name) => [name, await Bun.file(join(root, name)).text()] as const);
      return Object.fromEntries(await Promise.all(entries));
    },
    async lock(name) {
      const { bots } = await Bun.file(join(root, `parley.${name}.lock.json`)).json();
      return Object.fromEntries(bots.map((bot: LockEntry) => [bot.folder, bot]));
    },
  };
}
