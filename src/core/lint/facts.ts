import type { StoredGroup } from "../flow/document.ts";
import type { FlowBlock } from "../interpreter/flow.ts";
import type { DrawnTheme } from "../theme/drawn-things.ts";

/** Facts that are not in the flow. Rules skip a check whose facts are absent. */
export type LintFacts = {
  /** The bots that links name, with the ids of their groups; null for a bot that does not exist. */
  readonly linkedBots?: ReadonlyMap<string, { readonly groupIds: ReadonlySet<string> } | null>;
  /** How other bots link to this one: to its start, or to a group. */
  readonly linkedFrom?: readonly { readonly groupId: string | null }[];
  /** The types of the workspace's credentials, by their ids. */
  readonly credentials?: ReadonlyMap<string, string>;
  /** The names of the workspace's secrets. */
  readonly secrets?: ReadonlySet<string>;
  /** Whether the bot names a connection to a messenger that its workspace does not have. */
  readonly isConnectionUnknown?: boolean;
  /** The messengers whose connections ask this bot. */
  readonly channels?: readonly ChannelFacts[];
  /** Missing files of this service's authors that the flow names by their addresses. */
  readonly missingFiles?: ReadonlySet<string>;
  /** The workspace's credentials for payments, by their ids. */
  readonly payments?: ReadonlyMap<string, PaymentFacts>;
  /** The private hosts that the operator lets flows call. */
  readonly allowedHosts?: readonly string[];
  /** The origins on ports of the service's own machine that flows may call. */
  readonly ownMachine?: ReadonlySet<string>;
  /** The colours in which a browser has drawn the bot's page. */
  readonly drawn?: DrawnTheme;
};

/** The limits of a messenger. */
export type ChannelFacts = {
  readonly name: string;
  /** Characters of one message. */
  readonly text: number;
  /** Characters of a button. */
  readonly title: number;
  /** Items of a choice. */
  readonly items: number;
};

/** Facts of credentials for payments. */
export type PaymentFacts = {
  /** Whether published bots would pay with test keys. */
  readonly isTest: boolean;
  /** Whether the provider's reports of live payments can be checked. */
  readonly hasWebhook: boolean;
};

/** A block and its place. */
export type LintedBlock = {
  readonly path: string;
  readonly group: StoredGroup;
  readonly block: FlowBlock;
  /** The block's position among all blocks except `start` blocks. */
  readonly node: number;
  /** Whether the block is the last of its group. */
  readonly isLast: boolean;
};

/** The place of a finding about a block, or about a part of it. */
export function placeIn({ path, group, block }: LintedBlock, part?: string, itemId?: string) {
  return {
    path: part === undefined ? path : `${path}.${part}`,
    ...{ groupId: group.id, blockId: block.id },
    ...(itemId !== undefined && { itemId }),
  };
}
