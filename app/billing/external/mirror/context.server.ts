import type { Logger } from "pino"
import { BillingError, OrderPending } from "~/billing/billing"
import type { MirrorEngine } from "~/billing/embedded/mirror-store/mirror-engine.server"
import type { ExternalBilling } from "~/billing/external/external-billing"
import type { Instant } from "~/domain/calendar"
import type { ProductKind } from "~/domain/catalogue/catalogue"

/** Dependencies of the mirror: the external billing system and the embedded engine. */
export type MirrorContext = MirrorEngine & {
  readonly externalBilling: ExternalBilling
  /** URLs with scheme for lines and panels without a host in the response, by kind; null: not configured. */
  readonly hosts: Readonly<Record<ProductKind, string | null>>
  readonly now: () => Instant
  readonly log: Logger
  /** Starts a task without waiting for it, and logs its failure. Closing the mirror waits for it. */
  readonly runInBackground: (what: string, work: () => Promise<unknown>) => void
}

/** Tasks that a request starts and does not wait for. `allDone` waits for the running ones. */
export function createBackgroundTasks(log: Logger): {
  runInBackground: MirrorContext["runInBackground"]
  allDone: () => Promise<void>
} {
  const running = new Set<Promise<void>>()
  return {
    runInBackground(what, work) {
      const done = work().then(
        () => {},
        (error: unknown) => {
          // Not a failure: the caller of the order retries.
          if (error instanceof OrderPending) return
          if (!(error instanceof BillingError))
            return log.error({ err: error, task: what }, "background task failed")
          log.warn({ kind: error.kind, task: what, reason: error.message }, "external billing: update failed")
        },
      )
      running.add(done)
      void done.finally(() => running.delete(done))
    },
    allDone: async () => void (await Promise.allSettled(running)),
  }
}
