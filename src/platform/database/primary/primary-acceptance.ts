import { StartError } from "../../../config.ts";
import { readAddress, usualPort } from "./address.ts";
import { createPrimaryMemory } from "./primary-judgement.ts";
import { type Findings, inspectServers, nameOf } from "./primary-search.ts";
import { openProbe } from "./probe.ts";
import { defaultTimes } from "./servers.ts";

/** The view that a new process gets of the servers of an address. Reading it changes nothing. */
export async function inspectAddress(url: string): Promise<Findings & { readonly epoch: number }> {
  const { servers, url: base } = readAddress(url);
  const memory = createPrimaryMemory();
  const findings = await inspectServers(servers, { ...askingOf(base), memory, isNoting: false });
  return { ...findings, epoch: memory.epoch };
}

/**
 * Overrules the judgement: from now on this server, as the address names it, is the primary for every node, whatever
 * the timelines of other servers. Records this in its database, which nodes read. Throws a StartError if the server
 * accepts no writes, or hides its identity.
 */
export async function acceptPrimary(url: string, chosen: string): Promise<{ readonly timeline: number }> {
  const { asked, epoch } = await inspectAddress(url);
  const found = asked.find(({ server }) => [chosen, `${chosen}:${usualPort}`].includes(nameOf(server)));
  if (!found) {
    const names = asked.map((one) => nameOf(one.server)).join(", ");
    throw new StartError(`DATABASE_URL names ${names}, but not ${chosen}.`);
  }
  const { state } = found;
  if (state.kind !== "writer") throw new StartError(`${chosen} takes no writes, so it cannot be the primary.`);
  if (!state.identity) throw new StartError(`${chosen} hides its timeline, so no node refuses it.`);
  if (!state.identity.notes)
    throw new StartError('The database is older than this release: run "parley migrate" first.');
  const { systemId, timeline } = state.identity;
  const probe = openProbe(found.server, askingOf(readAddress(url).url));
  try {
    await probe.accept({ systemId, timeline, epoch: epoch + 1 });
  } finally {
    probe.end();
  }
  return { timeline };
}

function askingOf(url: string) {
  return { url, silenceMs: defaultTimes.silenceMs };
}
