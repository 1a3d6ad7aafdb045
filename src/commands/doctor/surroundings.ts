import { lookup } from "node:dns/promises";
import { statfsSync } from "node:fs";
import { type Config, StartError } from "../../config.ts";
import { readAllowedHosts } from "../../core/flow/outgoing-rules.ts";
import { checkMailServer } from "../../effects/mail/email.ts";
import { AppError } from "../../errors.ts";
import { builderPlace, localAddress } from "../../management/access/builder-place.ts";
import { openDataFolder } from "../../platform/embedded/folders.ts";
import { takeAppPort, takePort } from "../../platform/processes/port.ts";
import { openStorage } from "../../platform/storage/open-storage.ts";
import { checkStorage } from "../../platform/storage/storage-check.ts";
import { ownAddress } from "../own-address.ts";
import { doubtful, type Finding, fine, wrong } from "./finding.ts";

const megabyte = 1_000_000;
/** Below the first, an embedded database stops within hours; below the second, a person should look. */
const room = { least: 200 * megabyte, good: 2_000 * megabyte };

/** DATA_DIR and the room on its disk. */
export function examineDataFolder(config: Config): Finding {
  const what = "Data folder";
  try {
    const { root } = openDataFolder(config.DATA_DIR);
    const { bavail, bsize } = statfsSync(root);
    const free = bavail * bsize;
    const says = `${root}, with ${(free / megabyte / 1_000).toFixed(1)} GB free`;
    if (free >= room.good) return fine(what, says);
    const todo = "Make room on its disk: at no room at all, chats wait with 503.";
    return free >= room.least ? doubtful(what, says, todo) : wrong(what, says, todo);
  } catch (error) {
    if (!(error instanceof StartError)) throw error;
    return wrong(what, error.message, "Name another folder in DATA_DIR, or give this one to the service's user.");
  }
}

/** Stores a small file, reads and removes it. */
export async function examineStorage(config: Config): Promise<Finding> {
  const place = config.S3_BUCKET === undefined ? `${config.DATA_DIR}/uploads` : `the bucket ${config.S3_BUCKET}`;
  try {
    await checkStorage(openStorage(config));
    return fine("Storage", `a file was kept in ${place}, read and removed`);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    const reason = String(error.data?.["reason"] ?? error.message);
    return wrong(
      "Storage",
      `${place}: ${reason}`,
      "Uploads fail until then: correct the S3_ settings, or the folder's rights.",
    );
  }
}

export function examineKey({ ENCRYPTION_KEY, DATABASE_URL, DATA_DIR }: Config): Finding {
  const what = "Encryption key";
  if (ENCRYPTION_KEY !== undefined) return fine(what, "from ENCRYPTION_KEY; keep a copy apart from backups");
  if (DATABASE_URL === undefined) return fine(what, `in ${DATA_DIR}/encryption-key; keep a copy apart from backups`);
  const todo = "Set ENCRYPTION_KEY, the same on all nodes: openssl rand -base64 32";
  return doubtful(what, "none: no secret can be stored, such as those of event endpoints", todo);
}

/** Free, or held by a service that answers. */
export async function examinePort(config: Config): Promise<Finding> {
  const { PORT } = config;
  const what = "Port";
  if (PORT === 0) return fine(what, "any that is free");
  const ready = await fetch(`${ownAddress(config)}/api/readyz`).catch(() => undefined);
  if (ready?.headers.has("x-request-id")) {
    const says = `a Parley runs on ${PORT}`;
    if (ready.ok) return fine(what, `${says} and is ready`);
    const body = await ready.text();
    return wrong(what, `${says} and is not ready: ${body}`, "See its log.");
  }
  try {
    await (await takePort(config)).release();
    return fine(what, `${PORT} is free`);
  } catch (error) {
    if (!(error instanceof StartError)) throw error;
    return wrong(what, error.message, "End what listens there, or name another in PORT.");
  }
}

/** The builder's port, where it has one of its own: free, or held by a service that answers. */
export async function examineBuilder(config: Config): Promise<Finding> {
  const what = "Builder";
  const { address, port } = builderPlace(config);
  if (!port) return fine(what, address === undefined ? "none: APP_PORT is off" : `at ${address}/app`);
  const { number } = port;
  if (number === 0) return fine(what, "on any port that is free");
  const ready = await fetch(`${localAddress(config.HOST, number)}/api/readyz`).catch(() => undefined);
  if (ready?.headers.has("x-request-id")) return fine(what, `a Parley serves it on ${number}`);
  try {
    const taken = await takeAppPort(config, port);
    await taken.release();
    if (taken.port === number) return fine(what, `${number} is free for it`);
    return doubtful(
      what,
      `${number} is taken, so the service serves it on any port that is free`,
      "Name one in APP_PORT, so that links to it stay good; its ready line has the port.",
    );
  } catch (error) {
    if (!(error instanceof StartError)) throw error;
    return wrong(what, error.message, "End what listens there, or name another in APP_PORT.");
  }
}

export function examineAddresses({ PUBLIC_URL, CHAT_URL, TRUSTED_PROXIES }: Config): Finding {
  const what = "Addresses";
  const chats = CHAT_URL ?? PUBLIC_URL;
  if (chats === undefined) {
    return doubtful(
      what,
      "neither PUBLIC_URL nor CHAT_URL is set",
      "Set them to what people call, so that links to files and pages lead there.",
    );
  }
  if (CHAT_URL === undefined || (PUBLIC_URL !== undefined && new URL(PUBLIC_URL).host === new URL(CHAT_URL).host)) {
    return doubtful(
      what,
      `chats and management share ${chats}`,
      "Give CHAT_URL a host of its own: authors' code in chats then shares no origin with the job board.",
    );
  }
  if (TRUSTED_PROXIES === "" && /^https:/.test(chats)) {
    return doubtful(
      what,
      `${chats} is behind a proxy that TRUSTED_PROXIES does not name`,
      "Name it there, or all visitors have the proxy's address.",
    );
  }
  return fine(what, `chats at ${chats}, management at ${PUBLIC_URL ?? "any host"}`);
}

/** Whether the hosts that flows may call within this network are known to this machine. */
export async function examineOutgoing({ OUTGOING_ALLOW }: Config): Promise<Finding[]> {
  const what = "Outgoing calls";
  const hosts = [...readAllowedHosts(OUTGOING_ALLOW)];
  if (hosts.length === 0) return [fine(what, "to public addresses only")];
  return await Promise.all(
    hosts.map(async (host) => {
      const found = await lookup(host).catch(() => undefined);
      if (found) return fine(what, `${host} is open to flows, at ${found.address}`);
      return doubtful(
        what,
        `OUTGOING_ALLOW names ${host}, which this machine does not find`,
        "Correct the name, or the network's DNS.",
      );
    }),
  );
}

/** Signs in to the mail server, without sending anything. */
export async function examineMail({ SMTP_URL }: Config): Promise<Finding> {
  if (SMTP_URL === undefined)
    return doubtful("Mail", "no mail server: mails of flows are not sent", "Set SMTP_URL where flows send mails.");
  const problem = await checkMailServer(SMTP_URL);
  if (problem === undefined) return fine("Mail", `${new URL(SMTP_URL).host} lets us in`);
  return wrong("Mail", problem, "Correct SMTP_URL; mails wait for some hours.");
}
