import { at, type Json, listAt, textAt } from "../../web/conversation/read.ts";
import { keyOf, named, type Run } from "./run.ts";
import { RefusedRequest, type Server } from "./server.ts";
import { entriesOf } from "./source.ts";

/** Maps the ids of the source's connections, as bots contain them, to the ids of connections in the target. */
export type Connections = ReadonlyMap<string, string>;

type Connection = { readonly id: string; readonly name: string; readonly account: string; readonly entry: unknown };

/**
 * Moves connections to messengers, disabled and without secrets, so that an account is active at only one service. If
 * the target workspace already has a connection for an account, that connection is used unchanged. The bots of the
 * source must already be in the target.
 */
export async function moveConnections(run: Run): Promise<Connections> {
  const { source, target, place, report, isParley } = run;
  const connections = new Map<string, string>();
  if (!isParley) return connections;
  const theirs = await listThere(run);
  if (theirs.length === 0) return connections;
  const ours = new Map((await listConnections(target, place.workspaceId)).map(({ account, id }) => [account, id]));
  const withoutSecrets: string[] = [];
  for (const connection of theirs) {
    const known = ours.get(connection.account);
    if (known !== undefined) {
      connections.set(connection.id, known);
      continue;
    }
    try {
      connections.set(connection.id, await make(run, connection));
      withoutSecrets.push(named(connection.name));
    } catch (error) {
      // The target rejects, for example, an account that another of its workspaces has connected.
      if (!(error instanceof RefusedRequest)) throw error;
      report.left.push({ what: "Connections to messengers", names: [`${named(connection.name)}: ${error.message}`] });
    }
  }
  if (withoutSecrets.length > 0)
    report.left.push({ what: "Secrets of connections to messengers, which are disabled here", names: withoutSecrets });
  const here = theirs.filter(({ id }) => connections.has(id)).length;
  report.compared.push({ what: "Connections to messengers", bot: null, there: theirs.length, here });
  run.tell(`${here} connections to messengers from ${source.origin}`);
  return connections;
}

/**
 * Lists the connections of the source. Returns an empty list if the token may not read them, or if the source's release
 * does not support connections.
 */
async function listThere({ source, place, report }: Run): Promise<Connection[]> {
  try {
    return (await listConnections(source, place.fromWorkspaceId)).toReversed();
  } catch (error) {
    if (!(error instanceof RefusedRequest)) throw error;
    report.left.push({ what: "Connections to messengers", names: [`unknown: ${error.message}`] });
    return [];
  }
}

async function listConnections(server: Server, workspaceId: string): Promise<Connection[]> {
  const path = `/api/v1/workspaces/${encodeURIComponent(workspaceId)}/channel-connections`;
  const found: Connection[] = [];
  for await (const entry of entriesOf(server, path, {}, "channelConnections")) {
    const [id, channel] = [textAt(entry, "id"), textAt(entry, "channel")];
    if (id === undefined || channel === undefined) continue;
    const account = `${channel} ${textAt(entry, "externalId") ?? id}`;
    found.push({ id, account, name: textAt(entry, "name") ?? "", entry });
  }
  return found;
}

async function make(run: Run, { id, name, entry }: Connection): Promise<string> {
  const { target, place, state, report } = run;
  const bots = listAt(entry, "bots");
  const own = bots.flatMap((bot) => {
    const botId = state.bots[textAt(bot, "botId") ?? ""];
    return botId === undefined ? [] : [{ ...fieldsOf(bot), botId }];
  });
  if (own.length < bots.length)
    report.left.push({ what: `Bots of the connection ${named(name)}`, names: [`${bots.length - own.length} bots`] });
  // The transport is left out, because the target chooses the transport by its own address.
  const { transport: _, ...settings } = fieldsOf(at(entry, "settings"));
  const body = {
    ...{ channel: textAt(entry, "channel"), externalId: textAt(entry, "externalId") ?? id },
    ...{ name: name.trim() === "" ? "Untitled" : name, settings, bots: own },
  };
  const path = `/api/v1/workspaces/${encodeURIComponent(place.workspaceId)}/channel-connections`;
  const made = textAt(
    await target.write("POST", path, { body, key: keyOf(run, "connections", id) }),
    "channelConnection",
    "id",
  );
  if (made === undefined) throw new RefusedRequest("The response does not contain a connection.");
  return made;
}

function fieldsOf(value: unknown): Json {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? { ...value } : {};
}
