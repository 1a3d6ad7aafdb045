import { lstatSync, readdirSync, readFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { readLinks } from "./binaries.ts";
import type { PackedFile, PackedPrograms } from "./packed.ts";

/** Files that neither the server nor its SQL and C extensions need, such as headers and other procedural languages. */
const superfluous = /\.a$|^lib\/(pkgconfig\/|libecpg|libpgtypes)|\/pgxs\/|plperl|plpython|pltcl|^bin\/pg_ctl$/;
/** This level takes one second and saves nine tenths of what the slowest level saves. */
const zstdLevel = 9;

/** Packs the programs of an embedded PostgreSQL package. Returns the archive and a list of its content. */
export function packPrograms(packageFolder: string): {
  readonly archive: Uint8Array;
  readonly content: Omit<PackedPrograms, "archive">;
} {
  const root = join(packageFolder, "native");
  const paths = readdirSync(root, { recursive: true, encoding: "utf8" })
    .map((path) => path.replaceAll("\\", "/"))
    .filter((path) => /^(bin|lib|share)\//.test(path) && !superfluous.test(path))
    .filter((path) => lstatSync(join(root, path)).isFile())
    .sort();
  const contents = paths.map((path) => readFileSync(join(root, path)));
  const files = contents.map((bytes, index): PackedFile => {
    const path = paths[index] ?? "";
    return { path, size: bytes.length, sha256: sha256(bytes), isProgram: path.startsWith("bin/") };
  });
  const links = readLinks(packageFolder)
    .map(({ source, target }) => ({ path: target.replace(/^native\//, ""), target: basename(source), source }))
    .filter(({ path }) => !superfluous.test(path))
    .map(({ path, target, source }) => {
      if (dirname(source) !== dirname(`native/${path}`)) throw new Error(`${path} points into another folder.`);
      return { path, target };
    });
  const name = sha256(Buffer.from(JSON.stringify({ files, links }))).slice(0, 16);
  const archive = Bun.zstdCompressSync(Buffer.concat(contents), { level: zstdLevel });
  return { archive, content: { name, files, links } };
}

function sha256(bytes: Uint8Array): string {
  return new Bun.CryptoHasher("sha256").update(bytes).digest("hex");
}
