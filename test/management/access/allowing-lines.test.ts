import { expect, test } from "bun:test";
import { readConfig } from "../../../src/config.ts";
import { forbiddenHost, notPublic } from "../../../src/core/flow/outgoing-rules.ts";
import { allowingLines } from "../../../src/management/access/outgoing-addresses.ts";

const own = "http://localhost:4000/lead";

test.each([
  ["a host of the internal network", {}, "http://crm.internal/", notPublic.host, ["OUTGOING_ALLOW=crm.internal"]],
  ["an address of the internal network", {}, "http://10.0.0.8:80/", notPublic.address, ["OUTGOING_ALLOW=10.0.0.8"]],
  [
    "a local port of a service that only this machine reaches",
    { HOST: "127.0.0.1" },
    own,
    forbiddenHost,
    ["OUTGOING_ALLOW=localhost:4000"],
  ],
  [
    "a local port of a service with ALLOW_LOOPBACK=yes",
    { ALLOW_LOOPBACK: "yes" },
    own,
    forbiddenHost,
    ["OUTGOING_ALLOW=localhost:4000"],
  ],
  [
    "a local port at 127.0.0.1",
    { HOST: "::1" },
    "http://127.0.0.1:4000",
    notPublic.address,
    ["OUTGOING_ALLOW=127.0.0.1:4000"],
  ],
  [
    "a local port of a service that other machines reach",
    {},
    own,
    forbiddenHost,
    ["HOST=127.0.0.1", "OUTGOING_ALLOW=localhost:4000"],
  ],
  ["a local port of a service with a public URL", { PUBLIC_URL: "https://bots.example.com" }, own, forbiddenHost, []],
  [
    "a local port of a service with a public chat URL",
    { CHAT_URL: "https://chat.example.com" },
    own,
    forbiddenHost,
    [],
  ],
  ["a local port of a service behind a proxy", { TRUSTED_PROXIES: "10.0.0.1" }, own, forbiddenHost, []],
  ["Parley's own port", { HOST: "127.0.0.1", PORT: "4000" }, own, forbiddenHost, []],
  ["the builder's port", { HOST: "127.0.0.1", PORT: "3999" }, own, forbiddenHost, []],
  ["the builder's port from APP_PORT", { HOST: "127.0.0.1", APP_PORT: "4000" }, own, forbiddenHost, []],
  ["a system port", { HOST: "127.0.0.1" }, "http://localhost:631/", forbiddenHost, []],
  ["this machine without a port", { HOST: "127.0.0.1" }, "http://localhost/", forbiddenHost, []],
  ["another name of this machine", { HOST: "127.0.0.1" }, "http://api.localhost:4000/", forbiddenHost, []],
  ["a cloud's metadata address", { HOST: "127.0.0.1" }, "http://169.254.169.254/", notPublic.address, []],
  ["a public address that is refused for another reason", {}, "http://93.184.216.34/", "There is no secret", []],
  ["a local port that is refused for another reason", { HOST: "127.0.0.1" }, own, "There is no secret", []],
  ["a public host that is refused for another reason", {}, "https://example.com/", "There is no secret", []],
])(
  "the error of a call to %s suggests the settings that would allow the call, if any exist",
  (_, settings, url, reason, lines) => {
    expect(allowingLines(readConfig(settings), url, reason)).toEqual(lines);
  },
);
