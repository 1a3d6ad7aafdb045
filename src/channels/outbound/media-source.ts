import { type OpenedFile, openFile, type RemoteFile } from "../../effects/channels/open-file.ts";
import { limits } from "../../limits/index.ts";
import type { ChannelDependencies } from "../dependencies.ts";
import { type ChatPlace, findOpenAddress, findOwnFile } from "../files/own-files.ts";
import type { HeldConnection } from "../held-connection.ts";

export type MediaFile = RemoteFile & {
  readonly name: string | undefined;
  /** Whether this service stores the file. Stored files never change, but the provider may be unable to reach them. */
  readonly isOwn: boolean;
};

type Opened = { readonly kind: "open"; readonly file: MediaFile } | Exclude<OpenedFile, { kind: "open" }>;

/** Opens the files that bots show. */
export type MediaSource = {
  /** Opens a file: from storage if this service stores it, otherwise by its URL. */
  open(
    held: HeldConnection,
    url: string,
    options: { readonly place: ChatPlace; readonly maxBytes: number; readonly signal: AbortSignal },
  ): Promise<Opened>;
  /** Returns a URL with which a contact can open a private file of the chat, or undefined for any other URL. */
  openAddressOf(url: string, place: ChatPlace): Promise<string | undefined>;
  /** The folder in which files are kept while they are sent. */
  readonly folder: string;
};

type Tools = Pick<ChannelDependencies, "sql" | "config" | "ports" | "storage" | "safeStream">;

export function createMediaSource(tools: Tools, wallClock: () => number): MediaSource {
  const { storage, safeStream } = tools;
  return {
    folder: storage.arrivals,
    openAddressOf: (url, place) => findOpenAddress(tools, url, { place, now: wallClock() }),
    async open({ workspaceId, secrets }, url, { place, maxBytes, signal }) {
      const own = await findOwnFile(tools, url, place);
      if (own === null) return { kind: "gone", why: "The file does not exist, or belongs to another chat" };
      if (own) {
        const content = own.bytes > maxBytes ? new Blob([]) : await storage.read(own.id, undefined);
        if (content === undefined) return { kind: "gone", why: "The file is missing from the storage" };
        const body = content instanceof Blob ? content.stream() : content;
        return { kind: "open", file: { ...own, body, isOwn: true } };
      }
      const texts = Object.values(secrets).filter((one) => typeof one === "string");
      const options = { workspaceId, maxBytes, signal, secrets: texts, timeoutMs: limits.channels.mediaMs };
      const opened = await openFile(safeStream, { url }, options);
      if (opened.kind !== "open") return opened;
      const name = URL.parse(url)?.pathname.split("/").at(-1);
      return { kind: "open", file: { ...opened.file, name: name === "" ? undefined : name, isOwn: false } };
    },
  };
}
