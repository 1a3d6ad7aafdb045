import { dlopen, ptr } from "bun:ffi";
import { readdirSync } from "node:fs";

/** The C library of GNU systems, and that of Alpine. */
const libraries = ["libc.so.6", `libc.musl-${process.arch === "arm64" ? "aarch64" : "x86_64"}.so.1`];

/** The values of SOL_SOCKET, SO_ATTACH_FILTER and SO_ACCEPTCONN on Linux. */
const socketLevel = 1;
const attachFilter = 26;
const acceptsConnections = 30;

/**
 * A classic BPF filter for TCP segments, starting at their header. It drops segments with SYN but without ACK, which
 * start a connection. Each instruction consists of a code, two jumps and a constant.
 */
const dropNewConnections = [
  [0x30, 0, 0, 13], // Load the byte with the TCP flags.
  [0x54, 0, 0, 0x12], // Mask all flags except SYN and ACK.
  [0x15, 0, 1, 0x02], // If only SYN is set, continue, otherwise skip one instruction.
  [0x06, 0, 0, 0], // Drop the segment.
  [0x06, 0, 0, 0xffff_ffff], // Accept the whole segment.
] as const;

/**
 * Makes the kernel drop new connections to this process's listener while the listener stays open. All completed
 * connections can then be accepted before the listener is closed. Closing a listener resets the connections that wait
 * to be accepted, although their clients may already have sent a request.
 *
 * A dropped client retries after a second, and is then refused or reaches another listener. Returns whether the filter
 * was installed. Only Linux supports the filter, and only clients that connect at this moment benefit from it.
 */
export function refuseConnections(port: number): boolean {
  try {
    const library = openLibrary();
    const listeners = readdirSync("/proc/self/fd")
      .map(Number)
      .filter((descriptor) => listensOn(library, descriptor, port));
    for (const descriptor of listeners) attach(library, descriptor);
    return listeners.length > 0;
  } catch {
    return false;
  }
}

type Library = ReturnType<typeof openLibrary>;

function openLibrary() {
  const functions = {
    getsockopt: { args: ["i32", "i32", "i32", "ptr", "ptr"], returns: "i32" },
    getsockname: { args: ["i32", "ptr", "ptr"], returns: "i32" },
    setsockopt: { args: ["i32", "i32", "i32", "ptr", "u32"], returns: "i32" },
  } as const;
  for (const name of libraries) {
    try {
      return dlopen(name, functions).symbols;
    } catch {
      // If this library does not exist, the next library is tried.
    }
  }
  throw new Error("No C library was found");
}

/** Whether a file descriptor of this process is a socket that listens on the port. */
function listensOn({ getsockopt, getsockname }: Library, descriptor: number, port: number): boolean {
  const answer = new Int32Array(1);
  const length = new Uint32Array([answer.byteLength]);
  const status = getsockopt(descriptor, socketLevel, acceptsConnections, ptr(answer), ptr(length));
  if (status !== 0 || answer[0] !== 1) return false;
  const address = new DataView(new ArrayBuffer(128));
  length[0] = address.byteLength;
  // Both IPv4 and IPv6 addresses store the family before the port.
  return getsockname(descriptor, ptr(address), ptr(length)) === 0 && address.getUint16(2) === port;
}

function attach({ setsockopt }: Library, descriptor: number): void {
  const instructions = new DataView(new ArrayBuffer(8 * dropNewConnections.length));
  for (const [index, [code, ifTrue, ifFalse, constant]] of dropNewConnections.entries()) {
    instructions.setUint16(8 * index, code, true);
    instructions.setUint8(8 * index + 2, ifTrue);
    instructions.setUint8(8 * index + 3, ifFalse);
    instructions.setUint32(8 * index + 4, constant, true);
  }
  const program = new DataView(new ArrayBuffer(16));
  program.setUint16(0, dropNewConnections.length, true);
  program.setBigUint64(8, BigInt(ptr(instructions)), true);
  const status = setsockopt(descriptor, socketLevel, attachFilter, ptr(program), program.byteLength);
  if (status !== 0) throw new Error("The kernel does not accept the filter");
}
