import { afterAll, expect, test } from "bun:test";
import { withoutControls } from "../../src/commands/command.ts";
import { openServer } from "../../src/commands/import/server.ts";
import { runCommand } from "../support/service.ts";

const servers: { stop(isForced: boolean): Promise<void> }[] = [];
afterAll(async () => {
  for (const server of servers) await server.stop(true);
});

function serve(answer: (request: Request) => Response): string {
  const server = Bun.serve({ port: 0, hostname: "127.0.0.1", fetch: answer });
  servers.push(server);
  return `http://127.0.0.1:${server.port}`;
}

const open = (address: string) => openServer(address, { token: "secret", option: "--from" });

test("a server's redirect to another server is not followed", async () => {
  const asked: string[] = [];
  const elsewhere = serve((request) => {
    asked.push(request.url);
    return Response.json({ workspaces: [] });
  });
  const source = open(
    serve(() => new Response(null, { status: 307, headers: { Location: `${elsewhere}/api/v1/workspaces` } })),
  );

  await expect(source.get("/api/v1/workspaces")).rejects.toThrow(
    `redirects to another server: use ${elsewhere} instead.`,
  );
  expect(asked).toEqual([]);
});

test("a response that exceeds 128 MB is rejected before its end", async () => {
  let sent = 0;
  const source = open(
    serve(
      () =>
        new Response(
          new ReadableStream({
            pull(controller) {
              sent++;
              controller.enqueue(new Uint8Array(1024 * 1024));
            },
          }),
        ),
    ),
  );

  await expect(source.get("/api/v1/workspaces")).rejects.toThrow("sent more than 128 MB in one response");
  expect(sent).toBeLessThan(1_000);
});

test("control characters in a server's response are not printed", async () => {
  const words = "\u001b]52;c;cm0gLXJm\u0007\u001b[2J\u009b31m\u202egnihtemos";
  const from = serve(() => Response.json({ code: "x", message: words }, { status: 400 }));
  const { stderr, exitCode } = await runCommand(
    ["import", "--from", from, "--token", "secret", "--to-token", "secret"],
    {},
  );

  expect(exitCode).toBe(1);
  expect(stderr).toContain("gnihtemos");
  expect(stderr.replaceAll("\n", "")).not.toMatch(/[\p{Cc}\u202a-\u202e]/u);
});

test("line ends, tabs, accents, Arabic letters and emoji are printed unchanged", () => {
  expect(withoutControls("Grüße\n\tمرحبا 👩‍👩‍👧 é")).toBe("Grüße\n\tمرحبا 👩‍👩‍👧 é");
});
