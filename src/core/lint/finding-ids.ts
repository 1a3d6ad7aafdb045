/** The ids of the parts that a finding is about, if any. A card's button counts as an item. */
export type FindingIds = {
  readonly groupId?: string;
  readonly blockId?: string;
  readonly itemId?: string;
  readonly edgeId?: string;
  readonly eventId?: string;
  readonly variableId?: string;
  /** The name of a variable that does not exist in the flow. */
  readonly variableName?: string;
  /** All unknown names at one position, if there are several. */
  readonly variableNames?: string[];
};
