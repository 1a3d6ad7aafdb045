import type { FileDependencies } from "../../files/dependencies.ts";
import { fileAddress, fileIdIn, fileNameIn, ownOrigin } from "../../files/file-addresses.ts";
import { findStoredFiles } from "../../files/files.sql.ts";
import type { SavedVariable } from "../results.sql.ts";
import type { ForeignResult, ImportedIds } from "./imported-ids.ts";

/** Replaces the addresses of imported files at the source with their addresses on this instance. */
export type ImportedAddresses = {
  inText(text: string): string;
  inValue(value: SavedVariable["value"]): SavedVariable["value"];
};

type NamingFiles = ForeignResult & {
  readonly variables?: readonly Pick<SavedVariable, "value">[];
  readonly answers?: readonly { readonly content: string; readonly attachedFileUrls?: readonly string[] | null }[];
};

/**
 * Finds the imported files to which results refer by their addresses at the source. All other addresses remain
 * unchanged.
 */
export async function readAddresses<Result extends NamingFiles>(
  deps: FileDependencies,
  ids: ImportedIds,
  results: readonly Result[],
): Promise<(result: Result) => ImportedAddresses> {
  const named = results.flatMap((result) => foreignFilesIn(result).map((fileId) => ids.ofFile(result, fileId)));
  const stored = named.length === 0 ? [] : await findStoredFiles(deps.sql, named);
  const byId = new Map(stored.map((file) => [file.id, fileAddress(deps.config, file, ownOrigin(deps))]));
  return (result) => {
    const inText = (text: string) =>
      addressesIn(text)
        .map((address) => {
          const fileId = foreignFileIn(address);
          return (fileId !== undefined && byId.get(ids.ofFile(result, fileId))) || address;
        })
        .join(separator);
    return {
      inText,
      inValue: (value) =>
        typeof value === "string" ? inText(value) : value.map((item) => (item === null ? null : inText(item))),
    };
  };
}

/** Separates the addresses of several files in one answer. */
const separator = ", ";

function addressesIn(text: string): readonly string[] {
  return text.includes("/") ? text.split(separator) : [text];
}

function foreignFileIn(address: string): string | undefined {
  const name = fileNameIn(address);
  return name === undefined ? undefined : fileIdIn(name);
}

function foreignFilesIn({ variables = [], answers = [] }: NamingFiles): string[] {
  const texts = [
    ...variables.flatMap(({ value }) => value).filter((text) => text !== null),
    ...answers.flatMap(({ content, attachedFileUrls }) => [content, ...(attachedFileUrls ?? [])]),
  ];
  const files = texts.flatMap(addressesIn).map(foreignFileIn);
  return [...new Set(files.filter((fileId) => fileId !== undefined))];
}
