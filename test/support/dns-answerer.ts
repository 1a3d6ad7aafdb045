import { createSocket } from "node:dgram";
import type { AddressInfo } from "node:net";

/** The TXT records of a DNS name, or the failure of the lookup: an error, or no response. */
export type DnsRecords = readonly string[] | "fails" | "is silent";

/** A DNS server on the loopback address that supports only TXT records. */
export type DnsAnswerer = {
  /** The address in the format of `Resolver.setServers`. */
  readonly address: string;
  /** Records by lower-case name. A name without an entry does not exist. */
  readonly records: Map<string, DnsRecords>;
  readonly asked: readonly string[];
  /** Clears `asked`. */
  forget(): void;
  close(): Promise<void>;
};

const statuses = { fine: 0, fails: 2, "does not exist": 3 } as const;

export async function startDnsAnswerer(): Promise<DnsAnswerer> {
  const records = new Map<string, DnsRecords>();
  const asked: string[] = [];
  const socket = createSocket("udp4");
  socket.on("message", (query, sender) => {
    const { name, end } = readName(query, headerBytes);
    asked.push(name);
    const found = records.get(name.toLowerCase());
    if (found === "is silent") return;
    socket.send(answerTo(query, end + 4, found), sender.port, sender.address);
  });
  await new Promise<void>((resolve) => socket.bind(0, "127.0.0.1", resolve));
  const { port }: AddressInfo = socket.address();
  return {
    address: `127.0.0.1:${port}`,
    records,
    asked,
    forget() {
      asked.length = 0;
    },
    close: () => new Promise((resolve) => socket.close(() => resolve())),
  };
}

const headerBytes = 12;

/** Parses the name in the question, a list of length-prefixed labels (RFC 1035). */
function readName(packet: Buffer, start: number): { name: string; end: number } {
  const labels: string[] = [];
  let at = start;
  for (let length = packet.readUInt8(at); length > 0; length = packet.readUInt8(at)) {
    labels.push(packet.toString("latin1", at + 1, at + 1 + length));
    at += 1 + length;
  }
  return { name: labels.join("."), end: at + 1 };
}

function answerTo(query: Buffer, questionEnd: number, found: Exclude<DnsRecords, "is silent"> | undefined): Buffer {
  const texts = found === undefined || found === "fails" ? [] : found;
  const status = found === undefined ? "does not exist" : found === "fails" ? "fails" : "fine";
  const header = Buffer.alloc(headerBytes);
  query.copy(header, 0, 0, 2);
  // The flags mark a response with recursion desired and available.
  header.writeUInt16BE(0x8180 | statuses[status], 2);
  header.writeUInt16BE(1, 4);
  header.writeUInt16BE(texts.length, 6);
  return Buffer.concat([header, query.subarray(headerBytes, questionEnd), ...texts.map(txtRecord)]);
}

/** Encodes a TXT record. Long texts are split into parts of 255 bytes. */
function txtRecord(text: string): Buffer {
  const bytes = Buffer.from(text);
  const parts: Buffer[] = [];
  for (let at = 0; at < bytes.length; at += 255) {
    const part = bytes.subarray(at, at + 255);
    parts.push(Buffer.from([part.length]), part);
  }
  const data = Buffer.concat(parts);
  // A pointer to the name in the question, type TXT, class IN, and a time to live of zero.
  const fixed = Buffer.from([0xc0, headerBytes, 0, 16, 0, 1, 0, 0, 0, 0, 0, 0]);
  fixed.writeUInt16BE(data.length, 10);
  return Buffer.concat([fixed, data]);
}
