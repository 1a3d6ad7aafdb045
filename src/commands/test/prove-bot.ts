import { Type } from "@sinclair/typebox";
import { Value } from "@sinclair/typebox/value";
import { StartError } from "../../config.ts";
import type { Proof } from "../../core/test-conversations/prove.ts";
import type { Environment } from "../command.ts";
import { openService } from "../service.ts";
import type { ServiceOptions } from "../service-options.ts";

const Share = Type.Object({ total: Type.Integer(), met: Type.Integer(), missed: Type.Array(Type.String()) });
const Answer = Type.Object({
  hasPassed: Type.Boolean(),
  outcomes: Type.Array(
    Type.Object({
      title: Type.String(),
      hasPassed: Type.Boolean(),
      problems: Type.Array(
        Type.Object({
          turn: Type.Integer(),
          message: Type.String(),
          expected: Type.Optional(Type.Unknown()),
          actual: Type.Optional(Type.Unknown()),
        }),
      ),
    }),
  ),
  coverage: Type.Object({ blocks: Share, edges: Share, items: Share }),
});

/** Has a service hold the test conversations that a bot keeps with its draft. */
export async function proveBot(botId: string, options: ServiceOptions, environment: Environment): Promise<Proof> {
  const ask = openService(options, environment);
  const answer = await ask("POST", `/api/v1/bots/${botId}/testConversations/run`, {});
  if (!Value.Check(Answer, answer)) throw new StartError("The service answered with no proof: is it an older release?");
  return answer;
}
