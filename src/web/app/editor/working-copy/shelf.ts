import type { Shelf } from "./stored-work.ts";

const storeName = "entries";

/** Opens a shelf in this browser's IndexedDB. The database is opened at the first access. */
export function openShelf(name = "parley-editor"): Shelf {
  let opening: Promise<IDBDatabase> | undefined;
  const open = (): Promise<IDBDatabase> => {
    opening ??= new Promise<IDBDatabase>((resolve, reject) => {
      const request = indexedDB.open(name, 1);
      request.onupgradeneeded = () => request.result.createObjectStore(storeName);
      request.onsuccess = () => resolve(request.result);
      request.onerror = () => reject(request.error);
      request.onblocked = () => reject(new Error("Another tab holds an older store"));
    });
    return opening;
  };
  return {
    async write(entries) {
      if (entries.length === 0) return;
      const transaction = (await open()).transaction(storeName, "readwrite", { durability: "relaxed" });
      const store = transaction.objectStore(storeName);
      for (const { key, value } of entries) {
        if (value === undefined) store.delete(key);
        else store.put(value, key);
      }
      await over(transaction);
    },
    async list(prefix) {
      const store = (await open()).transaction(storeName, "readonly").objectStore(storeName);
      const range = IDBKeyRange.bound(prefix, `${prefix}\uffff`);
      const [keys, values] = await Promise.all([answer(store.getAllKeys(range)), answer(store.getAll(range))]);
      return keys.map((key, index) => ({ key: String(key), value: values[index] }));
    },
  };
}

function answer<Value>(request: IDBRequest<Value>): Promise<Value> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
}

function over(transaction: IDBTransaction): Promise<void> {
  return new Promise((resolve, reject) => {
    transaction.oncomplete = () => resolve();
    transaction.onabort = () => reject(transaction.error);
    transaction.onerror = () => reject(transaction.error);
  });
}
