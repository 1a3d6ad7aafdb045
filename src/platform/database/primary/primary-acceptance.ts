import { StartError } from "../../../config.ts";
import { readAddress, usualPort } from "./address.ts";
import { createPrimaryMemory } from "./primary-judgement.ts";
import { type Findings, inspectServers, nameOf } from "./primary-search.ts";
import { openProbe } from "./probe.ts";
import { defaultTimes } from "./servers.ts";

/** Returns the state of the servers of an address as a new process would see it. Nothing is changed. */
export async function inspectAddress(url: string): Promise<Findings & { readonly epoch: number }> {
  const { servers, url: base } = readAddress(url);
  const memory = createPrimaryMemory();
  const findings = await inspectServers(servers, { ...askingOf(base), memory, isNoting: false });
  return { ...findings, epoch: memory.epoch };
}

/**
 * Overrides the choice of the primary: from now on, every node uses the chosen server, regardless of the timelines of
 * other servers. The decision is stored in the server's database, where nodes read it. Throws a StartError if the
 * address does not name the server, the server accepts no writes or hides its identity, or its database is older than
 * this release.
 */
export async function acceptPrimary(url: string, chosen: string): Promise<{ readonly timeline: number }> {
  const { asked, epoch } = await inspectAddress(url);
  const found = asked.find(({ server }) => [chosen, `${chosen}:${usualPort}`].includes(nameOf(server)));
  if (!found) {
    const names = asked.map((one) => nameOf(one.server)).join(", ");
    throw new StartError(`DATABASE_URL names ${names}, but not ${chosen}.`);
  }
  const { state } = found;
  if (state.kind !== "writer") throw new StartError(`${chosen} accepts no writes, so it cannot be the primary.`);
  if (!state.identity) throw new StartError(`${chosen} does not show its timeline, so nodes cannot reject it.`);
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
