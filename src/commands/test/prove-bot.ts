import { StartError } from "../../config.ts";
import type { Proof } from "../../core/test-conversations/prove.ts";
import { isObject } from "../../web/conversation/read.ts";
import type { Environment } from "../command.ts";
import { openService } from "../service.ts";
import type { ServiceOptions } from "../service-options.ts";

/** Makes a service run the test conversations that a bot stores with its draft. */
export async function proveBot(botId: string, options: ServiceOptions, environment: Environment): Promise<Proof> {
  const ask = openService(options, environment);
  const answer = await ask("POST", `/api/v1/bots/${botId}/testConversations/run`, {});
  if (!isProof(answer)) throw new StartError("The service sent no test report: is it an older release?");
  return answer;
}

function isProof(answer: unknown): answer is Proof {
  return isObject(answer) && Array.isArray(answer["outcomes"]) && isObject(answer["coverage"]);
}
