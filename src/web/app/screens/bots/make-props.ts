/** The workspace and folder of a new bot. */
export type NewBotPlace = { readonly workspaceId: string; readonly folderId: string | null };

/** The properties of each component that creates a bot. */
export type MakeProps = {
  readonly place: NewBotPlace;
  readonly onMade: (bot: { readonly id: string; readonly name: string }) => void;
};
