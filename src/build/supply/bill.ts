import type { Component } from "./component.ts";

/**
 * Returns the bill of materials of the binary for a platform, in CycloneDX 1.6 as JSON: the program, and each component
 * with its version, licence, hash and dependencies. Equal components result in equal text, because the bill contains no
 * times or random values.
 */
export function billOfMaterials([program, ...components]: readonly Component[], platform: string): string {
  if (program === undefined) throw new Error("A bill of materials begins with the program.");
  const direct = new Set(components.map(refOf));
  for (const { locked } of components) for (const key of locked?.dependencies ?? []) direct.delete(key);
  const bill = {
    metadata: {
      component: {
        type: "application",
        ...described(program),
        properties: [{ name: "parley:platform", value: platform }],
      },
    },
    components: components.map(entryOf),
    dependencies: [
      { ref: refOf(program), dependsOn: [...direct] },
      ...components.map((component) => ({ ref: refOf(component), dependsOn: component.locked?.dependencies ?? [] })),
    ],
  };
  const head = { bomFormat: "CycloneDX", specVersion: "1.6", serialNumber: serialNumber(bill), version: 1 };
  return `${JSON.stringify({ ...head, ...bill }, undefined, 2)}\n`;
}

/**
 * Returns the id of a component in the bill. A package is identified by its key in `bun.lock`, so two versions of a
 * package are two components.
 */
function refOf({ name, locked }: Component): string {
  return locked?.key ?? `program:${name}`;
}

function described(component: Component) {
  const { name, version, licence } = component;
  return {
    "bom-ref": refOf(component),
    name,
    ...(version === undefined ? {} : { version }),
    licenses: [licences(licence)],
  };
}

/**
 * A licence that contains a space and is not an SPDX expression, such as `Public domain`, is a name without an SPDX
 * identifier.
 */
function licences(licence: string): object {
  if (licence.includes(" OR ") || licence.includes(" AND ")) return { expression: licence };
  return { license: licence.includes(" ") ? { name: licence } : { id: licence } };
}

function entryOf(component: Component): object {
  const { locked } = component;
  if (locked === undefined) return { type: "library", ...described(component) };
  const purl = `pkg:npm/${locked.name.replace("@", "%40")}@${locked.version}`;
  const [algorithm = "", hash = ""] = locked.integrity.split(/-(.*)/s);
  const patches =
    locked.patch === undefined ? {} : { pedigree: { patches: [{ type: "unofficial", diff: { url: locked.patch } }] } };
  return {
    type: "library",
    ...described(component),
    scope: locked.isOptional ? "optional" : "required",
    hashes: [{ alg: algorithm.replace("sha", "SHA-"), content: Buffer.from(hash, "base64").toString("hex") }],
    purl,
    ...patches,
  };
}

/** Returns a UUID derived from the content. */
function serialNumber(bill: object): string {
  const hash = new Bun.CryptoHasher("sha256").update(JSON.stringify(bill)).digest("hex");
  const [, first, second, third, fourth, fifth] = /^(.{8})(.{4}).(.{3}).(.{3})(.{12})/.exec(hash) ?? [];
  return `urn:uuid:${first}-${second}-8${third}-8${fourth}-${fifth}`;
}
