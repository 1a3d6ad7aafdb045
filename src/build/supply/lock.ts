import { type Static, Type } from "@sinclair/typebox";
import { Value } from "@sinclair/typebox/value";

/** A runtime dependency of the program, as pinned by `bun.lock`. */
export type LockedPackage = {
  /** The package's key in the lock file: `name`, or `parent/name` if the parent has a separate version. */
  readonly key: string;
  readonly name: string;
  readonly version: string;
  /** The hash of the installed archive, as in `sha512-…`. */
  readonly integrity: string;
  /** Whether the program can run without the package. */
  readonly isOptional: boolean;
  /** The keys of the packages on which this package depends. */
  readonly dependencies: readonly string[];
  /** The path of the patch that Parley applies to the package, if any. */
  readonly patch: string | undefined;
};

const Names = Type.Optional(Type.Record(Type.String(), Type.String()));
const Words = Type.Optional(Type.Union([Type.String(), Type.Array(Type.String())]));
const Needs = Type.Object({
  dependencies: Names,
  optionalDependencies: Names,
  peerDependencies: Names,
  optionalPeers: Type.Optional(Type.Array(Type.String())),
  os: Words,
  cpu: Words,
  libc: Words,
});
type Needs = Static<typeof Needs>;
const Lock = Type.Object({
  workspaces: Type.Object({ "": Needs }),
  patchedDependencies: Names,
  // The four elements are name and version, registry, dependencies, and hash.
  packages: Type.Record(Type.String(), Type.Tuple([Type.String(), Type.String(), Needs, Type.String()])),
});

/**
 * Returns the packages of a `bun.lock` that the program needs on a platform such as `linux-x64`. Development
 * dependencies are excluded. Throws if a required package is missing.
 */
export function lockedPackages(text: string, platform: string): LockedPackage[] {
  const lock = Value.Decode(Lock, Bun.JSONC.parse(text));
  const found = new Map<string, LockedPackage>();
  const visit = (parent: string, needs: Needs, parentIsOptional: boolean): string[] =>
    wanted(needs).flatMap(({ name, isOptional: asOptional }) => {
      const isOptional = parentIsOptional || asOptional;
      const key = resolve(parent, name, lock.packages);
      const entry = key === undefined ? undefined : lock.packages[key];
      if (key === undefined || entry === undefined) {
        if (isOptional) return [];
        throw new Error(`bun.lock has no ${name}, which ${parent || "the program"} needs.`);
      }
      const [pinned, , own, integrity] = entry;
      if (!runsOn(platform, own)) return [];
      const known = found.get(key);
      // A package that was found as optional may also be required. In this case, neither the package nor its required
      // dependencies are optional.
      if (known === undefined || (known.isOptional && !isOptional)) {
        const at = pinned.lastIndexOf("@");
        const locked = { key, name: pinned.slice(0, at), version: pinned.slice(at + 1), integrity, isOptional };
        const patch = lock.patchedDependencies?.[pinned];
        found.set(key, { ...locked, patch, dependencies: [] });
        found.set(key, { ...locked, patch, dependencies: visit(key, own, isOptional) });
      }
      return [key];
    });
  visit("", lock.workspaces[""], false);
  return [...found.values()].sort((one, other) => (one.key < other.key ? -1 : 1));
}

function wanted({ dependencies, optionalDependencies, peerDependencies, optionalPeers = [] }: Needs) {
  const peers = Object.keys(peerDependencies ?? {}).filter((name) => !optionalPeers.includes(name));
  return [
    ...[...Object.keys(dependencies ?? {}), ...peers].map((name) => ({ name, isOptional: false })),
    ...Object.keys(optionalDependencies ?? {}).map((name) => ({ name, isOptional: true })),
  ];
}

/**
 * Returns the key of a package's dependency. Looks below the package itself, then below its ancestors, nearest first,
 * and then at the top level. Returns undefined if the dependency is not found.
 */
function resolve(parent: string, name: string, packages: Static<typeof Lock>["packages"]): string | undefined {
  for (let place = parent; place !== ""; place = place.slice(0, Math.max(0, place.lastIndexOf("/")))) {
    if (packages[`${place}/${name}`] !== undefined) return `${place}/${name}`;
  }
  return packages[name] === undefined ? undefined : name;
}

function runsOn(platform: string, { os, cpu, libc }: Needs): boolean {
  const [system, processor] = platform.split("-");
  const fits = (words: string | string[] | undefined, word: string | undefined) =>
    words === undefined || word === undefined || [words].flat().includes(word);
  // Bun for Linux is linked against glibc.
  return fits(os, system) && fits(cpu, processor) && fits(libc, "glibc");
}
