/** Something that sleeps until it is rung, or until its time has come. */
export type Bell = {
  ring(): void;
  wait(): Promise<void>;
};

/** A ring while nobody waits is heard by the next one who does. */
export function createBell(everyMs: number): Bell {
  let isRung = false;
  let awaken = (): void => {};
  return {
    ring() {
      isRung = true;
      awaken();
    },
    async wait() {
      if (!isRung) {
        await new Promise<void>((resolve) => {
          const timer = setTimeout(resolve, everyMs);
          awaken = () => {
            clearTimeout(timer);
            resolve();
          };
        });
      }
      isRung = false;
      awaken = () => {};
    },
  };
}
