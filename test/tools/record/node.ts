import { FailedCall, RefusedCall } from "../../../src/effects/safe-fetch/safe-fetch.ts";
import { serve } from "../../../src/service/main.ts";
import { isCallAnswer, mailPath, worldVariable } from "./world.ts";

/**
 * The service in a separate process, without values that differ between runs: every step has the same random seed, and
 * the recorder answers external calls and accepts mails.
 */
process.env["TZ"] = "UTC";
const world = process.env[worldVariable] ?? "";
const seedBytes = 16;
const random = crypto.getRandomValues.bind(crypto);
crypto.getRandomValues = <Kind extends ArrayBufferView | null>(array: Kind) => {
  const filled = random(array);
  if (filled instanceof Uint8Array && filled.length === seedBytes) filled.fill(0x5a);
  return filled;
};

process.exit(
  await serve(process.env, {
    dependencies: (deps) => ({
      ...deps,
      async safeFetch(request) {
        const response = await fetch(world, { method: "POST", body: JSON.stringify(request) });
        const answer: unknown = await response.json();
        if (!isCallAnswer(answer)) throw new Error(`The recorder answered ${JSON.stringify(answer)}`);
        if (answer.kind === "refused") throw new RefusedCall(answer.text);
        if (answer.kind === "failed") throw new FailedCall(answer.status === 408 ? "timeout" : "network", answer.text);
        return { status: answer.status, text: answer.text };
      },
    }),
    mailer: () => ({
      async send(mail) {
        await fetch(new URL(mailPath, world), { method: "POST", body: JSON.stringify(mail) });
        return { kind: "sent" };
      },
    }),
  }),
);
