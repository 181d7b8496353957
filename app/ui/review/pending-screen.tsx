import { lazy, Suspense } from "react"
import { ReloadLink, type ReloadLinkView } from "../layout/reload-link"
import { useHydrated } from "../layout/use-hydrated"

const LOOK_EVERY_MS = 2_000

/** Loaded with this screen only: the review step, at the same URL, does not poll. */
const PagePoller = lazy(async () => ({ default: (await import("../waiting/page-poller")).PagePoller }))

/** An order that is not confirmed yet, and what the page says of it in its language. */
type PendingOrder = {
  readonly orderId: string
  readonly words: {
    readonly heading: string
    readonly lead: string
    readonly once: string
    readonly reference: string
  }
  readonly reloads: ReloadLinkView
}

/**
 * Shown while external billing has not confirmed the order, usually for seconds. It reloads with and without script until
 * the review step can be shown.
 */
export function PendingScreen({ orderId, words, reloads }: PendingOrder) {
  const scripted = useHydrated()
  return (
    <section className="card narrow refused">
      <h1>{words.heading}</h1>
      <p className="lead" role="status">
        {words.lead}
      </p>
      <p>{words.once}</p>
      <p className="reference">
        <small>{words.reference}</small> <code>{orderId}</code>
      </p>
      <ReloadLink reloads={reloads} />
      {scripted && (
        <Suspense>
          <PagePoller everyMs={LOOK_EVERY_MS} />
        </Suspense>
      )}
    </section>
  )
}
