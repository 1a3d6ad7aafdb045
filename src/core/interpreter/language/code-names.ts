/**
 * A variable's name in code, where its id replaces `{{Name}}`: the id itself if code can use it as a variable,
 * otherwise a name derived from the id. No two variables of a flow share a name: `isTaken` tests whether a name is an
 * id.
 */
export function codeNameOf(id: string, isTaken: (name: string) => boolean): string {
  if (isUsableName(id)) return id;
  let name = `$_${id.replaceAll(/[^A-Za-z0-9]/g, hexOf)}`;
  // An id may look like another id's derived name. The id is used unchanged: code of imported flows may rely on its
  // ids.
  while (isTaken(name)) name = `$${name}`;
  return name;
}

/**
 * The ids that code cannot use unchanged, with their names. They include ids made by builders, which begin with a
 * digit.
 */
export function codeNamesOf(ids: ReadonlyMap<string, unknown>): ReadonlyMap<string, string> {
  const names = new Map<string, string>();
  for (const id of ids.keys()) {
    const name = codeNameOf(id, (other) => ids.has(other));
    if (name !== id) names.set(id, name);
  }
  return names;
}

/** Words with another meaning in code, in strict mode, within async functions or within generators. */
export const reservedWords: ReadonlySet<string> = new Set(
  `arguments await break case catch class const continue debugger default delete do else enum eval export extends
  false finally for function if implements import in instanceof interface let new null package private protected public
  return static super switch this throw true try typeof undefined var void while with yield`.split(/\s+/),
);

/**
 * Globals that cannot be set, a global that the sandbox needs itself, and a key that objects of arguments cannot have.
 */
const fixedNames: ReadonlySet<string> = new Set(["NaN", "Infinity", "globalThis", "__proto__"]);

const identifier = /^[\p{ID_Start}$_][\p{ID_Continue}$\u200c\u200d]*$/u;

function isUsableName(id: string): boolean {
  return identifier.test(id) && !reservedWords.has(id) && !fixedNames.has(id);
}

/** Adds an underscore at the end, and doubles each underscore inside: no two ids get the same name. */
function hexOf(unit: string): string {
  return `_${unit.charCodeAt(0).toString(16)}_`;
}
