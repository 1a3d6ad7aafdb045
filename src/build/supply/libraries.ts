import { readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import type { Component } from "./component.ts";
import { standardText } from "./texts.ts";

type Library = {
  readonly files: RegExp;
  readonly name: string;
  readonly licence: string;
  /** The copyright holder, if the licence's text does not name a holder. */
  readonly copyright?: string;
  /** The names of the licence texts, if they differ from the licence's name. */
  readonly texts?: readonly string[];
  /** How to find the version in a file's content or name. */
  readonly version?: { readonly in: "content" | "name"; readonly pattern: RegExp };
};

/**
 * The libraries that PostgreSQL's programs link to. Their licences come from the projects themselves, because the
 * package does not state them.
 */
const libraries: readonly Library[] = [
  {
    files: /^libicu\w+\.so/,
    name: "ICU",
    licence: "Unicode-DFS-2016",
    version: { in: "name", pattern: /so\.(\d+)\.(\d+)/ },
  },
  {
    files: /^libicu\w+\.\d.*dylib/,
    name: "ICU",
    licence: "Unicode-3.0",
    version: { in: "name", pattern: /\.(\d+)\.(\d+)\.dylib/ },
  },
  {
    files: /^lib(crypto|ssl)\.so\.1\.1/,
    name: "OpenSSL",
    licence: "OpenSSL",
    version: { in: "content", pattern: /OpenSSL (\d+)\.(\d+)\.(\d+\w?) / },
  },
  {
    files: /^lib(crypto|ssl)\.3\./,
    name: "OpenSSL",
    licence: "Apache-2.0",
    copyright: "The OpenSSL Project Authors",
    version: { in: "content", pattern: /OpenSSL (\d+)\.(\d+)\.(\d+) / },
  },
  {
    files: /^libxml2\./,
    name: "libxml2",
    licence: "MIT",
    copyright: "1998-2012 Daniel Veillard",
    version: { in: "content", pattern: /(?<!\w)(2)(\d\d)(\d\d)\0/ },
  },
  {
    files: /^libxslt\./,
    name: "libxslt",
    licence: "MIT",
    copyright: "2001-2002 Daniel Veillard, Thomas Broyer, Charlie Bozeman",
    version: { in: "content", pattern: /(?<!\w)(1)(\d\d)(\d\d)\0/ },
  },
  {
    files: /^libz\./,
    name: "zlib",
    licence: "Zlib",
    copyright: "1995-2026 Jean-loup Gailly and Mark Adler",
    version: { in: "content", pattern: /deflate (\d+)\.(\d+)\.(\d+)/ },
  },
  {
    files: /^liblzma\./,
    name: "liblzma",
    licence: "Public domain",
    texts: [],
    copyright: "None: liblzma (XZ Utils 5.2) is in the public domain.",
    version: { in: "content", pattern: /\0(5)\.(\d)\.(\d)\0/ },
  },
  {
    files: /^libossp-uuid\./,
    name: "OSSP uuid",
    licence: "ISC",
    copyright: "2004-2008 Ralf S. Engelschall, The OSSP Project",
    version: { in: "content", pattern: /OSSP uuid (\d+)\.(\d+)\.(\d+)/ },
  },
  {
    files: /^lib(krb5|k5crypto|krb5support|gssapi_krb5)\./,
    name: "MIT Kerberos",
    licence: "BSD-2-Clause",
    copyright: "1985-2026 the Massachusetts Institute of Technology; for its parts see web.mit.edu/kerberos",
    version: { in: "content", pattern: /krb5-(\d+)\.(\d+)\.(\d+)/ },
  },
  {
    files: /^libcom_err\./,
    name: "com_err",
    licence: "MIT",
    copyright: "1987-1988 the Student Information Processing Board of the Massachusetts Institute of Technology",
  },
  {
    files: /^libedit\./,
    name: "libedit",
    licence: "BSD-3-Clause",
    copyright: "1992-1993 the Regents of the University of California; 1997 The NetBSD Foundation",
  },
  {
    files: /^libuuid\./,
    name: "libuuid",
    licence: "BSD-3-Clause",
    copyright: "1996-2007 Theodore Ts'o",
  },
  ...["iconv", "intl"].map((name) => ({
    files: new RegExp(`^lib${name}\\.`),
    name: `lib${name}`,
    licence: "LGPL-2.1-or-later",
    texts: ["LGPL-2.1"],
    copyright: "Free Software Foundation, Inc.",
  })),
  {
    files: /^liblz4\./,
    name: "LZ4",
    licence: "BSD-2-Clause",
    copyright: "2011-2023 Yann Collet",
    version: { in: "name", pattern: /\.(\d+)\.(\d+)\.(\d+)\./ },
  },
  {
    files: /^libzstd\./,
    name: "Zstandard",
    licence: "BSD-3-Clause",
    copyright: "Meta Platforms, Inc. and affiliates",
    version: { in: "name", pattern: /(\d+)\.(\d+)\.(\d+)/ },
  },
];

/** Matches PostgreSQL's own libraries, which are under the licence of PostgreSQL. */
const postgresFiles = /^lib(pq|ecpg|pgtypes)/;

/**
 * Returns PostgreSQL and the libraries in the embedded server's package for a platform. Throws if the package contains
 * a library that is not listed in this file.
 */
export function databaseComponents(packageFolder: string, packageVersion: string): Component[] {
  const folder = join(packageFolder, "native/lib");
  const postgres = {
    name: "PostgreSQL",
    version: packageVersion.replace(/^(\d+\.\d+).*/, "$1"),
    licence: "PostgreSQL",
    text: standardText("PostgreSQL"),
  };
  const files = readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.(so|dylib)(\.|$)/.test(entry.name) && !postgresFiles.test(entry.name))
    .map(({ name }) => name)
    .sort();
  const filesOf = Map.groupBy(files, (file) => {
    const library = libraries.find((known) => known.files.test(file));
    if (library === undefined) throw new Error(`Add the licence of ${file} to src/build/supply/libraries.ts.`);
    return library;
  });
  const paths = (names: readonly string[]) => names.map((name) => join(folder, name));
  return [postgres, ...[...filesOf].map(([library, names]) => componentOf(library, paths(names)))];
}

function componentOf(library: Library, paths: readonly string[]): Component {
  const { name, licence, copyright, texts = [licence] } = library;
  const notice = copyright === undefined ? [] : [`Copyright: ${copyright}`];
  return {
    name,
    version: library.version && versionIn(library.version, paths),
    licence,
    text: [...notice, ...texts.map(standardText)].join("\n\n"),
  };
}

/** Returns the version of a library from its first file that contains the version. Throws if no file contains it. */
function versionIn(version: NonNullable<Library["version"]>, paths: readonly string[]): string {
  for (const path of paths) {
    const match = version.pattern.exec(version.in === "name" ? basename(path) : readFileSync(path, "latin1"));
    if (match) return match.slice(1).map(withoutZeros).join(".");
  }
  throw new Error(`${paths.join(", ")}: it has no version that src/build/supply/libraries.ts can read.`);
}

/** Removes leading zeros. libxml2 reports version 2.9.4 as 20904. */
function withoutZeros(part: string): string {
  return part.replace(/^0+(?=\d)/, "");
}
