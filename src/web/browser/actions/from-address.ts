/**
 * Whether a redirect's host was given by the page's address, in whole or in part: the maker of the link then chose
 * where it leads. The texts are compared as they were written, since a URL that is read already says the same in
 * another way (`EVIL.com`, `ev%69l.com`, punycode). Very short values are found at the host's end only: a language is
 * in the middle of many names.
 */
export function isFromAddress(target: string, addressed: readonly string[]): boolean {
  const host = /^(?:[a-z][a-z\d+.-]*:)?[\\/]*([^\\/?#]*)/.exec(plain(target))?.[1] ?? "";
  return addressed.map(plain).some((value) => {
    if (value === "" || host === "") return false;
    return value.includes(host) || host.endsWith(value) || (value.length > 3 && host.includes(value));
  });
}

/** Without letter case, and without what readers of URLs leave out or replace. */
function plain(text: string): string {
  return text.toLowerCase().replace(/[\p{Cc}\s\uFFFD]/gu, "");
}
