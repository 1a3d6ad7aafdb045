import { compatibleTag } from "../../management/operations/operation-words.ts";
import { makeDocument } from "../../service/openapi-document.ts";
import { operations } from "../../service/operations.ts";
import { isSchema, type Schema } from "./types.ts";

/** An operation of the OpenAPI document, with its method and path. */
export type DocumentedOperation = { readonly path: string; readonly method: string; readonly operation: Schema };

type Addresses = Parameters<typeof makeDocument>[1];

/**
 * Returns the operations and named schemas of the OpenAPI document, without the operations for existing clients of the
 * reference product.
 */
export async function ownDocument(addresses: Addresses) {
  const own = operations.filter(({ tag }) => tag !== compatibleTag);
  const document: { paths?: unknown; components?: { schemas?: unknown } } = await makeDocument(own, addresses);
  const schemas = document.components?.schemas;
  if (!isSchema(document.paths) || !isSchema(schemas)) throw new Error("The OpenAPI document has no paths or schemas");
  const found = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(isSchema(methods) ? methods : {}).map(
      ([method, operation]): DocumentedOperation => ({
        ...{ path, method: method.toUpperCase() },
        operation: isSchema(operation) ? operation : {},
      }),
    ),
  );
  return { operations: found, schemas };
}
