/** The ids of the things that a finding is about, if there are any. A card's button counts as an item. */
export type FindingIds = {
  readonly groupId?: string;
  readonly blockId?: string;
  readonly itemId?: string;
  readonly edgeId?: string;
  readonly eventId?: string;
  readonly variableId?: string;
  /** The name of a variable that the flow does not have. */
  readonly variableName?: string;
  /** All unknown names in one place, if there are several. */
  readonly variableNames?: string[];
};
