import english from "./en/credentials.json";
import { area } from "./language.ts";

/**
 * The words of the dialog for credentials, and of the page to which a provider leads back. The names of fields come
 * from the service.
 */
export const credentialsWords = area("credentials", english);
