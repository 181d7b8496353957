import type { Logger } from "pino"
import { BillingError, OrderPending } from "~/billing/billing"
import type { DbContext } from "~/billing/embedded/db/transaction.server"
import type { EmbeddedBilling } from "~/billing/embedded/open-embedded-billing.server"
import type { ExternalBilling } from "~/billing/external/external-billing"
import type { Instant } from "~/domain/calendar"
import type { ProductKind } from "~/domain/catalogue"

/** Somebody else's billing system, and our small books beside it. */
export type MirrorContext = {
  readonly externalBilling: ExternalBilling
  readonly ctx: DbContext
  /** The same books as the rest of the shop sees them. */
  readonly local: EmbeddedBilling
  /** Where lines and panels are reached of which they do not say it, with scheme; null: that is not known here. */
  readonly hosts: Readonly<Record<ProductKind, string | null>>
  readonly now: () => Instant
  readonly log: Logger
  /** Does what nobody waits for; a failure is a line in the log. Closing the books waits for it. */
  readonly runInBackground: (what: string, work: () => Promise<unknown>) => void
}

/** Work that a request begins and does not wait for. */
export function createBackgroundTasks(log: Logger): {
  runInBackground: MirrorContext["runInBackground"]
  allDone: () => Promise<void>
} {
  const begun = new Set<Promise<void>>()
  return {
    runInBackground(what, work) {
      const done = work().then(
        () => {},
        (error: unknown) => {
          // Whoever waits for it asks again.
          if (error instanceof OrderPending) return
          if (!(error instanceof BillingError))
            return log.error({ err: error, task: what }, "background task failed")
          log.warn({ kind: error.kind, task: what, reason: error.message }, "external billing: update failed")
        },
      )
      begun.add(done)
      void done.finally(() => begun.delete(done))
    },
    allDone: async () => void (await Promise.allSettled(begun)),
  }
}
