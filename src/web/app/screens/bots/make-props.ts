/** Where a new bot is put. */
export type NewBotPlace = { readonly workspaceId: string; readonly folderId: string | null };

/** The properties of each way to create a bot. */
export type MakeProps = {
  readonly place: NewBotPlace;
  readonly onMade: (bot: { readonly id: string; readonly name: string }) => void;
};
