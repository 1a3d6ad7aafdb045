import { StartError } from "../../config.ts";
import { findWorkspace } from "../bots/find-bot.ts";
import type { Tools } from "../command.ts";
import { type Call, openCalls, openService, type Service } from "../service.ts";
import {
  type Lock,
  type Place,
  type PlaceOptions,
  readLock,
  readPlace,
  type TokenOptions,
  tokenFor,
} from "./project.ts";
import { type Remote, readRemote } from "./remote.ts";

export type WorkspaceOptions = PlaceOptions &
  TokenOptions & {
    readonly force?: true;
    readonly json?: true;
  };

/** A folder of bots and one of its environments. */
export type Workspace = {
  readonly root: string;
  readonly place: Place;
  /** Whether `parley.json` does not contain the environment yet. */
  readonly isNew: boolean;
  readonly call: Call;
  /** Sends requests whose bodies come from files. Only the service checks these bodies. */
  readonly ask: Service;
  readonly remote: Remote;
  readonly lock: Lock;
};

/**
 * Reads an environment: its entry in `parley.json`, its lock, and its bots, folders and credentials at the service.
 * Throws a StartError if the lock belongs to another workspace.
 */
export async function openWorkspace(
  { environment, tell }: Tools,
  { name, root }: { name: string; root: string },
  { token, tokenFrom, ...options }: WorkspaceOptions,
): Promise<Workspace> {
  const { place, isNew } = await readPlace(root, name, { ...options, environment });
  const lock = await readLock(root, name);
  const service = { url: place.url, token: tokenFor(place, { token, tokenFrom }, environment) };
  const call = openCalls(service, environment);
  const workspaceId = await findWorkspace(call, { name: place.workspace, url: place.url });
  if (lock.workspaceId !== undefined && lock.workspaceId !== workspaceId) {
    throw new StartError(
      `parley.${name}.lock.json belongs to the workspace ${lock.workspaceId}, but "${name}" is now ${workspaceId}. Remove the file if this is correct.`,
    );
  }
  tell(`Reading "${name}" at ${place.url} ...`);
  const ask = openService(service, environment);
  return { root, place, isNew, call, ask, lock, remote: await readRemote(call, workspaceId) };
}
