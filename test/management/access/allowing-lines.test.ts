import { expect, test } from "bun:test";
import { readConfig } from "../../../src/config.ts";
import { forbiddenHost, notPublic } from "../../../src/core/flow/outgoing-rules.ts";
import { allowingLines } from "../../../src/management/access/outgoing-addresses.ts";

const own = "http://localhost:4000/lead";

test.each([
  ["a host of the inner network", {}, "http://crm.internal/", notPublic.host, ["OUTGOING_ALLOW=crm.internal"]],
  ["an address of the inner network", {}, "http://10.0.0.8:80/", notPublic.address, ["OUTGOING_ALLOW=10.0.0.8"]],
  [
    "a port where only this machine reaches Parley",
    { HOST: "127.0.0.1" },
    own,
    forbiddenHost,
    ["OUTGOING_ALLOW=localhost:4000"],
  ],
  [
    "a port where you allow it for all",
    { ALLOW_LOOPBACK: "yes" },
    own,
    forbiddenHost,
    ["OUTGOING_ALLOW=localhost:4000"],
  ],
  [
    "a port by its number",
    { HOST: "::1" },
    "http://127.0.0.1:4000",
    notPublic.address,
    ["OUTGOING_ALLOW=127.0.0.1:4000"],
  ],
  [
    "a port where the network reaches Parley",
    {},
    own,
    forbiddenHost,
    ["HOST=127.0.0.1", "OUTGOING_ALLOW=localhost:4000"],
  ],
  ["a port of a service for others", { PUBLIC_URL: "https://bots.example.com" }, own, forbiddenHost, []],
  ["a port of a service with chats for others", { CHAT_URL: "https://chat.example.com" }, own, forbiddenHost, []],
  ["a port of a service behind a proxy", { TRUSTED_PROXIES: "10.0.0.1" }, own, forbiddenHost, []],
  ["Parley's own port", { HOST: "127.0.0.1", PORT: "4000" }, own, forbiddenHost, []],
  ["the builder's port", { HOST: "127.0.0.1", PORT: "3999" }, own, forbiddenHost, []],
  ["the builder's port by its setting", { HOST: "127.0.0.1", APP_PORT: "4000" }, own, forbiddenHost, []],
  ["a port of the system", { HOST: "127.0.0.1" }, "http://localhost:631/", forbiddenHost, []],
  ["no port", { HOST: "127.0.0.1" }, "http://localhost/", forbiddenHost, []],
  ["another name of this machine", { HOST: "127.0.0.1" }, "http://api.localhost:4000/", forbiddenHost, []],
  ["the keys of a cloud", { HOST: "127.0.0.1" }, "http://169.254.169.254/", notPublic.address, []],
  ["a public address that is refused for something else", {}, "http://93.184.216.34/", "There is no secret", []],
  ["a port that is refused for something else", { HOST: "127.0.0.1" }, own, "There is no secret", []],
  ["a public host that is refused for something else", {}, "https://example.com/", "There is no secret", []],
])("the error message lists the settings that allow a call to %s", (_, settings, url, reason, lines) => {
  expect(allowingLines(readConfig(settings), url, reason)).toEqual(lines);
});
