/** Where a new bot is put. */
export type NewBotPlace = { readonly workspaceId: string; readonly folderId: string | null };

/** What each way to make a bot gets. */
export type MakeProps = {
  readonly place: NewBotPlace;
  readonly onMade: (bot: { readonly id: string; readonly name: string }) => void;
};
