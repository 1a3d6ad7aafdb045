import type { Bench } from "../bench.ts";
import { askForEndlessScripts, askQuestions, askWithBlocks } from "../flows.ts";
import type { AttackLine, AttackOrder, TargetKind } from "./attacker.ts";
import { type Author, makeAuthor, request } from "./author.ts";

/**
 * The behaviour of one attacker: without a token from one address, or as the author of a bot whose visitors have many
 * addresses.
 */
export type Attack = {
  readonly name: string;
  /**
   * The maximum ratio for the p99 of other visitors. A thousand slow clients may raise the p99 by half; all other
   * attacks may triple it.
   */
  readonly mostRatio?: number;
  prepare(bench: Bench, target: number): Promise<Omit<AttackOrder, "host" | "port">>;
};

/** Each attack without a token uses a different address. */
const addresses = { loops: "198.51.99.1", flows: "198.51.99.2", uploads: "198.51.99.3", forms: "198.51.99.4" };
const many = "{address}";

export const attacks: readonly Attack[] = [
  {
    name: "400 visitors whose chat calls a server that never answers",
    prepare: (bench, target) => callsOut(bench, { target, answers: "never", connections: 400 }),
  },
  {
    name: "250 visitors whose chat calls a server that answers 9.4 MB",
    prepare: (bench, target) => callsOut(bench, { target, answers: "long", connections: 250 }),
  },
  {
    name: "4 visitors of scripts that never end",
    async prepare(bench) {
      const author = await makeAuthor(bench, askForEndlessScripts());
      const sessionIds = await author.startChats(4);
      return {
        connections: 4,
        lines: sessionIds.map((id) => line(say(id, "go"))),
      };
    },
  },
  {
    name: "previews without a token that loop through calls of locale",
    async prepare() {
      const content = "for (;;) (1234.5).toLocaleString('de-DE')";
      const options = { isExecutedOnClient: false, content };
      return {
        connections: 16,
        lines: [
          line(
            preview(
              addresses.loops,
              askWithBlocks((index) => ({ id: `s${index}`, type: "Code", options })),
            ),
          ),
        ],
      };
    },
  },
  {
    name: "a flood of previews of 0.9 MB without a token",
    async prepare() {
      const flow = askQuestions({ extraGroups: 1_990 });
      const title = "x".repeat(300);
      const groups = flow.groups.map((group) => ({ ...group, title }));
      return { connections: 16, lines: [line(preview(addresses.flows, { ...flow, groups }))] };
    },
  },
  {
    name: "64 uploads that come in drop by drop",
    async prepare(bench) {
      const author = await makeAuthor(bench, askForFiles());
      const sessionIds = await author.startChats(8);
      const paths = await Promise.all(
        sessionIds.flatMap((id) => Array.from({ length: 8 }, () => author.askToUpload(id))),
      );
      const drips = (path: string) =>
        slowly(head("PUT", path, addresses.uploads, ["Content-Type: application/pdf", "Content-Length: 100000"]));
      return { connections: paths.length, lines: paths.map(drips) };
    },
  },
  {
    name: "64 forms that come in drop by drop",
    async prepare(bench) {
      const { publicId } = await makeAuthor(bench, askForFiles());
      const headers = ["Accept: text/html", "Content-Type: multipart/form-data; boundary=x", "Content-Length: 100000"];
      return { connections: 64, lines: [slowly(head("POST", `/${publicId}`, addresses.forms, headers))] };
    },
  },
  {
    name: "a thousand clients that send their requests drop by drop",
    mostRatio: 1.5,
    async prepare(bench) {
      const { publicId } = await makeAuthor(bench, askQuestions());
      const path = `/api/v1/bots/${publicId}/startChat`;
      const headers = ["Content-Type: application/json", "Content-Length: 100000"];
      const inHead = `POST ${path} HTTP/1.1\r\nHost: localhost\r\nX-Slow: `;
      return { connections: 1_000, lines: [slowly(head("POST", path, many, headers)), slowly(inHead)] };
    },
  },
  {
    name: "16 visitors of a flow that starts itself",
    async prepare(bench) {
      const author = await makeAuthor(bench, askQuestions());
      await author.publish(
        callFirst(`http://outside.example:${bench.service.port}/api/v1/bots/${author.publicId}/startChat`, "POST"),
      );
      return { connections: 16, lines: [line(start(author.publicId))] };
    },
  },
  {
    name: "a flood of starts of one workspace's bot",
    async prepare(bench) {
      const { publicId } = await makeAuthor(bench, askQuestions());
      return { connections: 64, lines: [line(start(publicId))] };
    },
  },
  {
    name: "an author's lists and exports, fuzzed",
    async prepare(bench) {
      const author = await makeAuthor(bench, askQuestions());
      await author.startChats(500);
      return { connections: 64, lines: [line(...fuzzedLists(author))] };
    },
  },
  {
    name: "a backlog of events for a server that takes a second for each",
    async prepare(bench, target) {
      const author = await makeAuthor(bench, askQuestions());
      await author.listen(`http://outside.example:${target}/`);
      await author.startChats(2_000);
      return { connections: 4, lines: [line(start(author.publicId))], target: { port: target, answers: "late" } };
    },
  },
];

function line(...requests: readonly string[]): AttackLine {
  return { requests };
}

/** Returns a line whose request continues with one byte a second, and never ends. */
function slowly(text: string): AttackLine {
  return { requests: [text], drips: { everyMs: 1_000 } };
}

function head(method: string, path: string, address: string, headers: readonly string[]): string {
  return `${[`${method} ${path} HTTP/1.1`, "Host: localhost", `X-Forwarded-For: ${address}`, ...headers].join("\r\n")}\r\n\r\n`;
}

function start(publicId: string): string {
  return request("POST", `/api/v1/bots/${publicId}/startChat`, { address: many, body: {} });
}

function say(sessionId: string, message: string): string {
  return request("POST", `/api/v1/sessions/${sessionId}/continueChat`, { address: many, body: { message } });
}

function preview(address: string, flow: object): string {
  const bot = { ...flow, id: "any" };
  return request("POST", "/api/v1/bots/any/preview/startChat", { address, body: { bot } });
}

async function callsOut(
  bench: Bench,
  { target, answers, connections }: { target: number; answers: TargetKind; connections: number },
): Promise<Omit<AttackOrder, "host" | "port">> {
  const { publicId } = await makeAuthor(bench, callFirst(`http://outside.example:${target}/`, "GET"));
  return { connections, lines: [line(start(publicId))], target: { port: target, answers } };
}

function callFirst(url: string, method: "GET" | "POST") {
  const flow = askQuestions();
  const webhook = { url, method, ...(method === "POST" && { body: "{}" }) };
  const call = { id: "call", type: "Webhook", options: { isCustomBody: true, isAdvancedConfig: true, webhook } };
  const [first, ...others] = flow.groups;
  return { ...flow, groups: [{ ...first, blocks: [call, ...(first?.blocks ?? [])] }, ...others] };
}

function askForFiles() {
  const flow = askQuestions({ questions: 1 });
  const [first, ...others] = flow.groups;
  const input = { id: "in0", type: "file input", outgoingEdgeId: "ed1", options: { isMultipleAllowed: true } };
  return { ...flow, groups: [{ ...first, blocks: [input] }, ...others] };
}

/** Returns requests for lists in which one parameter has an odd value. */
function fuzzedLists({ token, workspaceId, botId }: Author): string[] {
  const values = [
    "",
    "1",
    "100",
    "-1",
    "1e9",
    "null",
    "%00",
    "a".repeat(200),
    "allTime",
    "Europe/Paris",
    "%F0%9F%92%A9",
  ];
  const paths = [
    `/api/v1/bots/${botId}/results?timeFilter=allTime&limit=100`,
    `/api/v1/typebots/${botId}/results?timeFilter=allTime&limit=500`,
    `/api/v1/bots/${botId}/collaborators?limit=100`,
    `/api/v1/bots/${botId}/publications?limit=100`,
    `/api/v1/bots?workspaceId=${workspaceId}`,
    `/api/v1/folders?workspaceId=${workspaceId}`,
    `/api/v1/workspaces/${workspaceId}/members?limit=100`,
    `/api/v1/workspaces/${workspaceId}/invitations?limit=100`,
    `/api/v1/workspaces/${workspaceId}/event-endpoints?limit=100`,
  ];
  return paths.flatMap((path) =>
    values.map((value, index) => {
      const name = ["cursor", "timeZone", "limit", "folderId"][index % 4];
      return request("GET", `${path}&${name}=${value}`, { address: many, token });
    }),
  );
}
