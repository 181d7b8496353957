/** A request that has arrived and is processed when the test releases it. */
export type HeldCall = {
  /** Resolves when the request has arrived. */
  readonly started: Promise<void>
  /** Releases the request and waits until it is processed. */
  finish(): Promise<void>
}

export function heldCall() {
  const arrived = Promise.withResolvers<void>()
  const goes = Promise.withResolvers<void>()
  const ended = Promise.withResolvers<void>()
  return {
    started: arrived.promise,
    async finish() {
      goes.resolve()
      await ended.promise
    },
    /**
     * Called by the server: waits until the test releases the request; returns a function to call when it is processed.
     */
    async wait(): Promise<() => void> {
      arrived.resolve()
      await goes.promise
      return ended.resolve
    },
  }
}
