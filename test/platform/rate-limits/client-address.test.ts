import { describe, expect, test } from "bun:test";
import { networkInterfaces } from "node:os";
import { clientAddressReader } from "../../../src/platform/rate-limits/client-address.ts";

const unknown = { address: undefined, isThisMachine: false };
const at = (address: string) => ({ address, isThisMachine: false });

describe("a client address without a trusted proxy", () => {
  const read = clientAddressReader("");

  test.each([
    ["203.0.113.7", "203.0.113.7"],
    ["::ffff:203.0.113.7", "203.0.113.7"],
    ["2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"],
    ["2001:db8:1:2::9", "2001:db8:1:2::/64"],
  ])("a connection from %s has the client address %s", (socket, address) => {
    expect(read(socket, null)).toEqual(at(address));
  });

  test.each(["10.1.2.3", "172.16.0.1", "192.168.1.1", "100.64.0.1", "169.254.1.1", "fd00::1", "fe80::1"])(
    "a connection from the private address %s has no client address",
    (socket) => {
      expect(read(socket, null)).toEqual(unknown);
    },
  );

  test.each(["127.0.0.1", "::1", "::ffff:127.0.0.1"])(
    "%s is the local machine, unless a local proxy has added the caller's address",
    (socket) => {
      const own = socket.replace("::ffff:", "");
      expect(read(socket, null)).toEqual({ address: undefined, isThisMachine: true, own });
      expect(read(socket, "203.0.113.7")).toEqual(unknown);
    },
  );

  test("an X-Forwarded-For header of an untrusted client is ignored", () => {
    for (const forged of ["198.51.100.1", "127.0.0.1", "10.0.0.1, 198.51.100.1", "", "x".repeat(5_000)]) {
      expect(read("203.0.113.7", forged)).toEqual(at("203.0.113.7"));
    }
  });

  test("a connection without an address has no client address", () => {
    expect(read(undefined, "203.0.113.7")).toEqual(unknown);
  });
});

describe("a client address behind trusted proxies", () => {
  const read = clientAddressReader("127.0.0.1, 10.0.0.0/8,2001:db8:ffff::1");

  test("an address behind more than twenty trusted proxies is not read", () => {
    const hops = (count: number) => ["203.0.113.7", ...Array.from({ length: count }, () => "10.0.0.9")].join(",");

    expect(read("10.0.0.1", hops(19))).toEqual(at("203.0.113.7"));
    expect(read("10.0.0.1", hops(20))).toEqual(unknown);
  });

  test.each([
    ["127.0.0.1", "203.0.113.7", "203.0.113.7"],
    ["::ffff:127.0.0.1", "203.0.113.7", "203.0.113.7"],
    ["10.0.0.1", "203.0.113.7, 10.0.0.2", "203.0.113.7"],
    ["2001:db8:ffff::1", "2001:db8:1:2::9,10.9.9.9,2001:db8:ffff::1", "2001:db8:1:2::/64"],
    ["127.0.0.1", "203.0.113.7:4711", "203.0.113.7"],
    ["127.0.0.1", "[2001:db8:1:2::9]:4711", "2001:db8:1:2::/64"],
    ["127.0.0.1", "[2001:db8:1:2::9]", "2001:db8:1:2::/64"],
  ])("a connection from %s with the forwarded header %p has the client address %s", (socket, forwarded, address) => {
    expect(read(socket, forwarded)).toEqual(at(address));
  });

  test("a forwarded address of this machine is marked as own, except 127.0.0.1", () => {
    const addresses = Object.values(networkInterfaces()).flatMap((all = []) => all.map(({ address }) => address));
    expect(addresses).toContain("127.0.0.1");
    for (const address of addresses) {
      expect(read("10.0.0.1", address).own).toBe(address === "127.0.0.1" ? undefined : address);
      expect(read("203.0.113.7", address).own).toBeUndefined();
    }
    expect(read("10.0.0.1", "203.0.113.7").own).toBeUndefined();
  });

  test("addresses before the last untrusted address are ignored", () => {
    expect(read("127.0.0.1", "198.51.100.1, 203.0.113.7")).toEqual(at("203.0.113.7"));
    expect(read("127.0.0.1", "10.0.0.5, 198.51.100.1, 203.0.113.7, 10.0.0.5")).toEqual(at("203.0.113.7"));
    expect(read("203.0.113.9", "203.0.113.7")).toEqual(at("203.0.113.9"));
  });

  test.each([null, "", "unknown", "10.0.0.9", "203.0.113.7, unknown", "192.168.0.1", `${"10.0.0.1,".repeat(50)}`])(
    "the forwarded header %p contains no client address",
    (forwarded) => {
      expect(read("127.0.0.1", forwarded)).toEqual(unknown);
    },
  );

  test("10,000 different addresses are each read correctly", () => {
    for (let index = 0; index < 10_000; index++) {
      const address = `203.0.${index >> 8}.${index & 255}`;
      expect(read("127.0.0.1", address)).toEqual(at(address));
    }
  });
});
