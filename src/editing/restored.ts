/** What the service calls the set that makes a draft what it was: an editor whose author asked for it can take it back as any act of theirs. */
export function restoredTitle(what: { readonly version: number } | { readonly revision: number }): string {
  return "version" in what ? `Restored version ${what.version}` : `Restored revision ${what.revision}`;
}

export function isRestoredTitle(title: string): boolean {
  return /^Restored (version|revision) \d+$/.test(title);
}
