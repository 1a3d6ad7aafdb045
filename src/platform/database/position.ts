/** The last row of the page before, in a list that is ordered newest first. */
export type Position = { readonly createdAt: Date; readonly id: string };
