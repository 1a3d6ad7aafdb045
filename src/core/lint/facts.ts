import type { StoredGroup } from "../flow/document.ts";
import type { FlowBlock } from "../interpreter/flow.ts";
import type { DrawnTheme } from "../theme/drawn-things.ts";

/** Facts that are not stored in the flow. Rules skip checks whose facts are absent. */
export type LintFacts = {
  /** The bots that links refer to, with the ids of each bot's groups. Null for a bot that does not exist. */
  readonly linkedBots?: ReadonlyMap<string, { readonly groupIds: ReadonlySet<string> } | null>;
  /** The links from other bots to this bot. `groupId` is null for a link to the start of the flow. */
  readonly linkedFrom?: readonly { readonly groupId: string | null }[];
  /** The types of the workspace's credentials by id. */
  readonly credentials?: ReadonlyMap<string, string>;
  /** The names of the workspace's secrets. */
  readonly secrets?: ReadonlySet<string>;
  /** Whether the bot refers to a messenger connection that does not exist in its workspace. */
  readonly isConnectionUnknown?: boolean;
  /** The messengers whose connections use this bot. */
  readonly channels?: readonly ChannelFacts[];
  /** Addresses of authors' files that the flow refers to but that do not exist on this service. */
  readonly missingFiles?: ReadonlySet<string>;
  /** The workspace's payment credentials by id. */
  readonly payments?: ReadonlyMap<string, PaymentFacts>;
  /** The private hosts that the operator allows flows to call. */
  readonly allowedHosts?: readonly string[];
  /** The origins on the service's own machine that flows may call. */
  readonly ownMachine?: ReadonlySet<string>;
  /** The colours with which a browser has rendered the bot's page. */
  readonly drawn?: DrawnTheme;
};

/** The limits of a messenger. */
export type ChannelFacts = {
  readonly name: string;
  /** The maximum length of a message in characters. */
  readonly text: number;
  /** The maximum length of a button title in characters. */
  readonly title: number;
  /** The maximum number of items in a choice. */
  readonly items: number;
};

export type PaymentFacts = {
  /** Whether published bots would charge payments with test keys. */
  readonly isTest: boolean;
  /** Whether the provider's reports of live payments can be verified. */
  readonly hasWebhook: boolean;
};

export type LintedBlock = {
  readonly path: string;
  readonly group: StoredGroup;
  readonly block: FlowBlock;
  /** The index of the block among all blocks except `start` blocks. */
  readonly node: number;
  readonly isLast: boolean;
};

/** Returns the position of a finding in a block or in part of a block. */
export function placeIn({ path, group, block }: LintedBlock, part?: string, itemId?: string) {
  return {
    path: part === undefined ? path : `${path}.${part}`,
    ...{ groupId: group.id, blockId: block.id },
    ...(itemId !== undefined && { itemId }),
  };
}
