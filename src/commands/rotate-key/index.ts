import type { Rotation } from "../../management/credentials/key-rotation.ts";
import type { AddCommand } from "../command.ts";

const failed = 1;

const order = `
With an embedded database and the key in DATA_DIR: stop the service and run this command, which creates the new key.
Otherwise: on every node, set ENCRYPTION_KEY to a new key (openssl rand -base64 32) and ENCRYPTION_KEY_OLD to the previous key,
restart the nodes, run this command with the same two keys, and then remove ENCRYPTION_KEY_OLD. You can interrupt the command and run it again.`;

export const addRotateKey: AddCommand = (program, tools) => {
  const { print, tell, setExitCode } = tools;
  program
    .command("rotate-key")
    .description("Encrypt all stored secrets with a new key.")
    .addHelpText("after", order)
    .action(async () => {
      const { rotateKey } = await import("./rotate.ts");
      const { resealed, unreadable } = await rotateKey(tools);
      print(`Encrypted with the new key: ${describe(resealed)}.\n`);
      if (unreadable.length === 0) return;
      const rows = unreadable.map(({ table, id }) => `${words[table].one} ${id}`);
      tell(
        `No key decrypts ${rows.join(", ")}: set ENCRYPTION_KEY_OLD to the key that encrypted them, or enter these secrets again.`,
      );
      setExitCode(failed);
    });
};

const words = {
  event_endpoints: { one: "event endpoint", many: "event endpoints" },
  credentials: { one: "credentials", many: "credentials" },
  secrets: { one: "secret", many: "secrets" },
  channel_connections: { one: "connection to a messenger", many: "connections to messengers" },
} as const;

function describe(resealed: Rotation["resealed"]): string {
  const parts = (["event_endpoints", "credentials", "secrets", "channel_connections"] as const)
    .filter((table) => resealed[table] > 0)
    .map((table) => `${resealed[table]} ${resealed[table] === 1 ? words[table].one : words[table].many}`);
  return parts.join(", ") || "nothing, because nothing is stored";
}
