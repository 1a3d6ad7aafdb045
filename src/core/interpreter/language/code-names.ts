/**
 * The name that a variable has in code, where its id stands in the place of `{{Name}}`: the id itself where code can use that as a variable, else one
 * that follows from it. Of the variables of a flow no two have the same one: `isTaken` says which names are ids.
 */
export function codeNameOf(id: string, isTaken: (name: string) => boolean): string {
  if (isUsableName(id)) return id;
  let name = `$_${id.replaceAll(/[^A-Za-z0-9]/g, hexOf)}`;
  // An id may look like the name of another one. It keeps it: code of imported flows may rely on their ids.
  while (isTaken(name)) name = `$${name}`;
  return name;
}

/** Of these ids those that code cannot use as they are, with their names. Builders' ids begin with a digit: they are among them. */
export function codeNamesOf(ids: ReadonlyMap<string, unknown>): ReadonlyMap<string, string> {
  const names = new Map<string, string>();
  for (const id of ids.keys()) {
    const name = codeNameOf(id, (other) => ids.has(other));
    if (name !== id) names.set(id, name);
  }
  return names;
}

/** Words that mean something else in code, in strict mode, within async functions or within generators. */
export const reservedWords: ReadonlySet<string> = new Set(
  `arguments await break case catch class const continue debugger default delete do else enum eval export extends
  false finally for function if implements import in instanceof interface let new null package private protected public
  return static super switch this throw true try typeof undefined var void while with yield`.split(/\s+/),
);

/** Globals that cannot be set, one that the sandbox needs itself, and a key that objects of arguments cannot have. */
const fixedNames: ReadonlySet<string> = new Set(["NaN", "Infinity", "globalThis", "__proto__"]);

const identifier = /^[\p{ID_Start}$_][\p{ID_Continue}$\u200c\u200d]*$/u;

function isUsableName(id: string): boolean {
  return identifier.test(id) && !reservedWords.has(id) && !fixedNames.has(id);
}

/** Closed by an underscore, and an underscore is written so itself: no two ids are written the same. */
function hexOf(unit: string): string {
  return `_${unit.charCodeAt(0).toString(16)}_`;
}
