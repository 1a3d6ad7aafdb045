import { describe, expect, test } from "bun:test";
import { type HostKind, hostGate } from "../../../src/platform/http/hosts.ts";

const split = {
  PUBLIC_URL: "https://bots.example.com",
  CHAT_URL: "https://chat.example.com:443/",
  TRUSTED_PROXIES: "",
};

function answers(
  config: Parameters<typeof hostGate>[0],
  kind: HostKind,
  headers: Record<string, string>,
  address?: string,
) {
  return hostGate(config)(kind, new Request("http://localhost/x", { headers }), () => address);
}

describe("two hosts", () => {
  test("each host serves its own paths", () => {
    expect(answers(split, "management", { Host: "bots.example.com" })).toBe(true);
    expect(answers(split, "chat", { Host: "chat.example.com" })).toBe(true);
  });

  test("neither host serves the other host's paths", () => {
    for (const host of ["chat.example.com", "CHAT.example.com", "chat.example.com:443"]) {
      expect(answers(split, "management", { Host: host })).toBe(false);
    }
    expect(answers(split, "chat", { Host: "bots.example.com" })).toBe(false);
  });

  test("a host serves shared paths, and an unknown host name serves all paths", () => {
    expect(answers(split, "both", { Host: "chat.example.com" })).toBe(true);
    expect(answers(split, "management", { Host: "10.0.0.7:3000" })).toBe(true);
    expect(answers(split, "chat", { Host: "10.0.0.7:3000" })).toBe(true);
  });

  test("a forwarded host is accepted only from a trusted proxy", () => {
    const headers = { Host: "10.0.0.7:3000", "X-Forwarded-Host": "chat.example.com, inner" };
    const trusting = { ...split, TRUSTED_PROXIES: "192.0.2.1, 10.1.0.0/16,::1" };
    expect(answers(split, "management", headers, "10.1.2.3")).toBe(true);
    expect(answers(trusting, "management", headers, "10.2.0.1")).toBe(true);
    expect(answers(trusting, "management", headers, undefined)).toBe(true);
    for (const proxy of ["192.0.2.1", "10.1.2.3", "::ffff:10.1.2.3", "::1"]) {
      expect(answers(trusting, "management", headers, proxy)).toBe(false);
    }
  });
});

describe("one host", () => {
  test("a single host serves every kind of path", () => {
    const same = { PUBLIC_URL: "https://a.example", CHAT_URL: "https://a.example/", TRUSTED_PROXIES: "" };
    for (const config of [{ TRUSTED_PROXIES: "" }, same]) {
      for (const kind of ["management", "chat", "both"] as const)
        expect(answers(config, kind, { Host: "a.example" })).toBe(true);
    }
  });

  test("a separate chat host does not serve the management API", () => {
    const config = { CHAT_URL: "https://chat.example.com", TRUSTED_PROXIES: "" };
    expect(answers(config, "management", { Host: "chat.example.com" })).toBe(false);
    expect(answers(config, "chat", { Host: "anything.example.com" })).toBe(true);
  });
});
