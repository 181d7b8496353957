/** A call that has arrived and is carried out when a test says so. */
export type HeldCall = {
  /** It has arrived. */
  readonly begun: Promise<void>
  /** Has it carried out, and waits for that. */
  finish(): Promise<void>
}

export function heldCall() {
  const arrived = Promise.withResolvers<void>()
  const goes = Promise.withResolvers<void>()
  const ended = Promise.withResolvers<void>()
  return {
    begun: arrived.promise,
    async finish() {
      goes.resolve()
      await ended.promise
    },
    /** For whoever carries it out: until it may be; answers what is to be called then. */
    async wait(): Promise<() => void> {
      arrived.resolve()
      await goes.promise
      return ended.resolve
    },
  }
}
