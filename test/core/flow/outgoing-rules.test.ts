import { describe, expect, test } from "bun:test";
import { isPublicAddress, RefusedCall, readTarget } from "../../../src/core/flow/outgoing-rules.ts";

const anyHost = { isHostAllowed: false };
const listedHost = { isHostAllowed: true };

describe("an address", () => {
  test.each(["8.8.8.8", "93.184.216.34", "2606:2800:220:1::1", "64:ff9b::808:808"])(
    "the address %s is public",
    (address) => {
      expect(isPublicAddress(address, anyHost)).toBe(true);
    },
  );

  test.each([
    ...["127.0.0.1", "127.255.255.254", "0.0.0.0", "0.1.2.3", "169.254.169.254", "100.64.0.1", "100.127.255.255"],
    ...["224.0.0.1", "239.255.255.255", "240.0.0.1", "255.255.255.255", "192.0.2.1", "198.18.0.1", "192.0.0.1"],
    ...["168.63.129.16", "64:ff9b::a83f:8110"],
    ...["::", "::1", "fe80::1", "fc00::1", "fd12:3456::1", "ff02::1", "fec0::1", "100::1", "4000::1"],
    ...["::ffff:127.0.0.1", "::ffff:8.8.8.8", "::127.0.0.1", "::ffff:0:127.0.0.1"],
    ...["64:ff9b::7f00:1", "64:ff9b::a00:1", "64:ff9b::a9fe:a9fe", "64:ff9b:1::808:808"],
    ...["2001::1", "2002:7f00:1::", "2001:db8::1", "not an address", ""],
  ])("the address %j is not public, even for a listed host", (address) => {
    expect(isPublicAddress(address, anyHost)).toBe(false);
    expect(isPublicAddress(address, listedHost)).toBe(false);
  });

  test.each(["10.0.0.1", "10.255.255.255", "172.16.0.1", "172.31.255.255", "192.168.0.1"])(
    "the address %s may be called only if the operator has listed the host",
    (address) => {
      expect(isPublicAddress(address, anyHost)).toBe(false);
      expect(isPublicAddress(address, listedHost)).toBe(true);
    },
  );
});

describe("a target", () => {
  test.each([
    ["https://example.com/a?b=c", "https://example.com/a?b=c"],
    ["http://EXAMPLE.com.:8080", "http://example.com.:8080/"],
    ["http://8.8.8.8/", "http://8.8.8.8/"],
    ["https://bücher.example/", "https://xn--bcher-kva.example/"],
    ["http://localhost.example.com/", "http://localhost.example.com/"],
  ])("the target %s is accepted", (address, href) => {
    expect(readTarget(address).href).toBe(href);
  });

  test.each([
    ["", "not a valid URL"],
    ["example.com", "not a valid URL"],
    ["http://", "not a valid URL"],
    ["http://1.2.3.4.5/", "not a valid URL"],
    ["file:///etc/passwd", "http and https"],
    ["ftp://example.com/", "http and https"],
    ["gopher://example.com/", "http and https"],
    ["data:text/plain,x", "http and https"],
    ["http://localhost/", "This host"],
    ["http://LOCALHOST./", "This host"],
    ["http://a.localhost/", "This host"],
    ["http://metadata/", "This host"],
    ["http://metadata.goog/", "This host"],
    ["http://metadata.google.internal/", "This host"],
    ["http://134744072/", "spelling"],
    ["http://0x8.8.8.8/", "spelling"],
    ["http://010.8.8.8/", "spelling"],
    ["http://8.8.2056/", "spelling"],
    ["http://⑧.8.8.8/", "spelling"],
    ["http://%38.8.8.8/", "spelling"],
    ["http://example.com:22/", "Port 22"],
    ["http://example.com:25/", "Port 25"],
    ["http://example.com:0/", "Port 0"],
  ])("the target %j is refused", (address, why) => {
    expect(() => readTarget(address)).toThrow(RefusedCall);
    expect(() => readTarget(address)).toThrow(why);
  });

  test("a relative redirect target is resolved and checked like an address", () => {
    const base = new URL("http://8.8.8.8/a/b");

    expect(readTarget("../c?d", base).href).toBe("http://8.8.8.8/c?d");
    expect(() => readTarget("//134744072/", new URL("http://example.com/"))).toThrow("spelling");
    expect(() => readTarget("//localhost/", base)).toThrow("This host");
  });
});
