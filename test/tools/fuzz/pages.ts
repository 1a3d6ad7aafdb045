import type { Dice } from "./dice.ts";
import { bytesOf, type Draft, encoded } from "./draft.ts";
import { oddNumbers, oddText } from "./odd-values.ts";
import type { World } from "./world.ts";

/** Returns a request for a path without a documented operation: pages, forms, files, the job board. */
export function pageRequest({ dice, world, host }: { dice: Dice; world: World; host: string }): Draft {
  const { publicId = "", fileName = "", sessionId = "", resultId = "" } = world.ids;
  const plain = { query: [], headers: [], host, body: undefined, isChunked: false } as const;
  const accept = ["Accept", dice.pick(["text/html", "*/*"])] as const;
  const board = ["Authorization", `Bearer ${world.tokens.admin}`] as const;
  switch (dice.below(5)) {
    case 0:
      return {
        ...plain,
        method: "GET",
        path: `/${dice.pick([publicId, publicId, publicId.toUpperCase(), "", "nobody"])}`,
        query: [[dice.pick(["Name", "__proto__", oddText(dice).slice(0, 200)]), oddText(dice).slice(0, 2_000)]],
        headers: [accept],
      };
    case 1:
      return {
        ...plain,
        method: "POST",
        path: `/${publicId}`,
        headers: [accept, ["Content-Type", "application/x-www-form-urlencoded"]],
        body: bytesOf(
          [
            ["sessionId", sessionId],
            ["message", oddText(dice)],
            [oddText(dice), oddText(dice)],
            ["resultId", resultId],
          ]
            .map(([name = "", value = ""]) => `${encoded(name)}=${encoded(value)}`)
            .slice(dice.below(3))
            .join("&"),
        ),
      };
    case 2: {
      const parts = [
        ["session", sessionId],
        ["message", oddText(dice)],
        [`file"; filename="${oddText(dice).replaceAll(/["\r\n]/g, "")}`, "content"],
      ];
      const text = parts.map(
        ([name, value]) => `--b\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
      );
      return {
        ...plain,
        method: "POST",
        path: `/${publicId}`,
        headers: [
          accept,
          ["Content-Type", `multipart/form-data; boundary=${dice.pick(["b", "b", "other", '"b"', ""])}`],
        ],
        body: bytesOf(`${text.join("")}--b--`.slice(0, dice.oneIn(4) ? 40 : undefined)),
      };
    }
    case 3:
      return {
        ...plain,
        method: dice.pick(["GET", "POST", "PUT"]),
        path: `/admin/queues/api/${dice.pick(["queues", "queues/email/retry/failed", "queues/nobody/x/retry", encodeURIComponent(oddText(dice).slice(0, 500).toWellFormed())])}`,
        query: [
          ["activeQueue", dice.pick(["email", "email", oddText(dice).slice(0, 200)])],
          ["page", dice.oneIn(2) ? "1" : dice.pick(oddNumbers)],
          [dice.pick(["jobsPerPage", "status"]), dice.oneIn(2) ? dice.pick(oddNumbers) : oddText(dice).slice(0, 200)],
        ],
        headers: [board],
      };
    default:
      return {
        ...plain,
        method: "GET",
        path: dice.pick([
          ...([
            "/",
            "/metrics",
            "/docs",
            "/docs/json",
            "/admin/queues",
            "/embed.js",
            "/favicon.ico",
            "/robots.txt",
          ] as const),
          ...(["/assets/docs/viewer.css", "/assets/nothing", "/admin/queues/static/../../package.json"] as const),
          ...([
            `/api/files/${fileName}`,
            "/api/files/06ey3k2m5q8r1t4v7x0z9w2b5d.txt",
            "/api/healthz",
            "/api/readyz",
          ] as const),
        ]),
        headers: [accept],
      };
  }
}
