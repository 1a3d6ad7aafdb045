import { type Static, type TSchema, Type } from "@sinclair/typebox";
import { Value } from "@sinclair/typebox/value";
import { StartError } from "../../config.ts";

/**
 * A backup is a tar archive that is written and read from its beginning to its end:
 *
 *     parley-backup.json          what is in it, and which release made it (`Head`)
 *     tables/<name>/00001.zst …   rows in PostgreSQL's text format, compressed; tables in an order that fills their foreign keys
 *     files/<id> …                what visitors uploaded
 *     end.json                    counts and SHA-256 sums of all that (`End`): without it, a backup was cut off
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

/** The size of `Head` and `End`; the latter lists files that were missing, with room for far more than a million. */
export const maxPartBytes = 64 * 1024 * 1024;
/**
 * The size of rows before they are compressed: pieces of 4 MB (`write.ts`), and one more row, which is a flow of 10 MB
 * at most in PostgreSQL's notation.
 */
export const maxPieceBytes = 256 * 1024 * 1024;

/** Rows as lines, the number of their bytes, and the SHA-256 of all bytes, before compression. */
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
    /** Files that the database names and the storage lacked. */
    missing: Type.Array(Type.String()),
  }),
});
export type End = Static<typeof End>;

/** Reads a part of a backup. Throws a StartError if the data is not a backup. */
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
