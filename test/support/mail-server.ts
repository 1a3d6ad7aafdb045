import { createServer, type Server, type Socket } from "node:net";

/** A mail server on the loopback address, with the SMTP commands that a client needs. */
export type MailServer = {
  readonly port: number;
  readonly mails: readonly TakenMail[];
  close(): Promise<void>;
};

export type TakenMail = {
  readonly from: string;
  readonly to: readonly string[];
  readonly login: string | null;
  /** The message's text without headers, and its headers by lower-case name, with folded lines joined. */
  readonly text: string;
  readonly headers: Readonly<Record<string, string>>;
};

/**
 * Starts a mail server that accepts every command, unless `replyTo` returns another response. For "", it sends no
 * response.
 */
export async function startMailServer(
  options: { replyTo?(command: string): string | undefined } = {},
): Promise<MailServer> {
  const mails: TakenMail[] = [];
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on("close", () => sockets.delete(socket));
    socket.on("error", () => socket.destroy());
    converse(socket, { replyTo: options.replyTo ?? (() => undefined), take: (mail) => mails.push(mail) });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    port: portOf(server),
    mails,
    close() {
      for (const socket of sockets) socket.destroy();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}

type Side = { replyTo(command: string): string | undefined; take(mail: TakenMail): void };

function converse(socket: Socket, { replyTo, take }: Side): void {
  let envelope: { from: string; to: string[]; login: string | null } = { from: "", to: [], login: null };
  let message: string[] | undefined;
  const say = (line: string) => line !== "" && socket.write(`${line}\r\n`);
  say("220 ready");
  onLines(socket, (line) => {
    if (message) {
      if (line !== ".") return void message.push(line.replace(/^\.\./, "."));
      take({ ...envelope, ...parse(message) });
      message = undefined;
      return say("250 taken");
    }
    const own = replyTo(line);
    if (own !== undefined) return say(own);
    const [, address = ""] = /<(.*)>/.exec(line) ?? [];
    if (line.startsWith("EHLO")) return say("250-hello\r\n250 AUTH PLAIN");
    if (line.startsWith("AUTH PLAIN ")) envelope = { ...envelope, login: atob(line.slice(11)) };
    if (line.startsWith("MAIL")) envelope = { ...envelope, from: address, to: [] };
    if (line.startsWith("RCPT")) envelope.to.push(address);
    if (line.startsWith("DATA")) message = [];
    if (line.startsWith("QUIT")) return socket.end("221 bye\r\n");
    return say(line.startsWith("DATA") ? "354 go on" : line.startsWith("AUTH") ? "235 welcome" : "250 fine");
  });
}

function onLines(socket: Socket, take: (line: string) => void): void {
  let rest = "";
  socket.on("data", (data) => {
    const lines = (rest + data.toString()).split("\r\n");
    rest = lines.pop() ?? "";
    for (const line of lines) take(line);
  });
}

function parse(lines: readonly string[]): Pick<TakenMail, "headers" | "text"> {
  const end = lines.indexOf("");
  const folded = lines.slice(0, end).join("\n").replaceAll(/\n\s+/g, " ").split("\n");
  const headers: Record<string, string> = Object.fromEntries(
    folded.map((line) => [line.slice(0, line.indexOf(":")).toLowerCase(), line.slice(line.indexOf(":") + 2)]),
  );
  const body = lines.slice(end + 1).join("\n");
  return { headers, text: headers["content-transfer-encoding"] === "quoted-printable" ? unquoted(body) : body };
}

/** Decodes quoted-printable text. */
function unquoted(text: string): string {
  return text
    .replaceAll("=\n", "")
    .replaceAll(/(?:=[\dA-F]{2})+/g, (bytes) => decodeURIComponent(bytes.replaceAll("=", "%")));
}

function portOf(server: Server): number {
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("The mail server does not listen on a port");
  return address.port;
}
