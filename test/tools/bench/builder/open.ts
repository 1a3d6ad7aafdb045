import { Type } from "@sinclair/typebox";
import type { Bench } from "../bench.ts";
import { askQuestions } from "../flows.ts";

export type Builder = {
  readonly origin: string;
  /** Creates a bot from a flow. Returns the URL of its flow screen. */
  makeBot(name: string, flow: object): Promise<string>;
};

export async function openBuilder({ service, publish }: Bench): Promise<Builder> {
  const { workspaceId } = await publish(askQuestions());
  const app = Type.Object({ app: Type.Union([Type.String(), Type.Null()]) });
  const { instance } = await service.get(
    "/api/v1/instance",
    Type.Object({ instance: Type.Object({ addresses: app }) }),
  );
  const { origin } = new URL(instance.addresses.app ?? service.url);
  return {
    origin,
    async makeBot(name, flow) {
      const made = Type.Object({ bot: Type.Object({ id: Type.String() }) });
      const { bot } = await service.post("/api/v1/bots", { workspaceId, bot: { name, ...flow } }, made);
      return `${origin}/app/bots/${bot.id}`;
    },
  };
}
