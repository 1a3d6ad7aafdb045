import { type Static, type TSchema, Type } from "@sinclair/typebox";
import { Value } from "@sinclair/typebox/value";
import { StartError } from "../../config.ts";

/**
 * A backup is a tar archive that is written and read sequentially:
 *
 *     parley-backup.json          the content and the release of the backup (`Head`)
 *     tables/<name>/00001.zst …   rows in PostgreSQL's text format, compressed; referenced tables come before the tables that reference them
 *     files/<id> …                uploaded files
 *     end.json                    counts and SHA-256 checksums of the content (`End`); a backup without this entry is incomplete
 */
export const formatVersion = 1;
export const headName = "parley-backup.json";
export const endName = "end.json";

export const Head = Type.Object({
  format: Type.Integer(),
  release: Type.String(),
  createdAt: Type.String(),
  migrations: Type.Array(Type.Object({ name: Type.String(), hash: Type.String() })),
  tables: Type.Array(Type.Object({ name: Type.String(), columns: Type.Array(Type.String()) }), { minItems: 1 }),
});
export type Head = Static<typeof Head>;

/** The maximum size of `Head` and `End`. `End` lists missing files, and has room for more than a million of them. */
export const maxPartBytes = 64 * 1024 * 1024;
/**
 * The maximum size of a piece of rows before compression. A piece has 4 MB (`write.ts`) plus one row. The flow in this
 * row has at most 10 MB, but is larger in PostgreSQL's notation.
 */
export const maxPieceBytes = 256 * 1024 * 1024;

/** The number of rows, the number of bytes, and the SHA-256 of all bytes before compression. Each row is one line. */
const Sum = Type.Object({ rows: Type.Integer(), bytes: Type.Integer(), sha256: Type.String() });
export type Sum = Static<typeof Sum>;

export const End = Type.Object({
  tables: Type.Record(Type.String(), Sum),
  sequences: Type.Array(Type.Object({ name: Type.String(), value: Type.String() })),
  files: Type.Object({
    count: Type.Integer(),
    bytes: Type.Integer(),
    /** The hash of all contents in sequence. */
    sha256: Type.String(),
    /** Files that the database references but that are missing in the storage. */
    missing: Type.Array(Type.String()),
  }),
});
export type End = Static<typeof End>;

/** Reads a part of a backup. Throws a StartError if the data is invalid. */
export function readPart<Schema extends TSchema>(schema: Schema, bytes: Uint8Array): Static<Schema> {
  try {
    return Value.Decode(schema, JSON.parse(new TextDecoder().decode(bytes)));
  } catch (error) {
    throw new StartError("This is not a backup of Parley, or it was changed: use another one.", { cause: error });
  }
}

/** Counts and hashes a stream. */
export function createSum() {
  const hash = new Bun.CryptoHasher("sha256");
  let [rows, bytes] = [0, 0];
  return {
    add(chunk: Uint8Array) {
      hash.update(chunk);
      bytes += chunk.length;
      for (let at = chunk.indexOf(newline); at !== -1; at = chunk.indexOf(newline, at + 1)) rows++;
    },
    end: (): Sum => ({ rows, bytes, sha256: hash.digest("hex") }),
  };
}

const newline = 0x0a;
