import { lazy, Suspense } from "react"
import { useTranslation } from "~/i18n/use-translation"
import { useHydrated } from "../layout/use-hydrated"

const LOOK_EVERY_MS = 2_000

/** Loaded with this screen only: the review step, at the same URL, does not poll. */
const PagePoller = lazy(async () => ({ default: (await import("../waiting/page-poller")).PagePoller }))

/**
 * Shown while external billing has not confirmed the order, usually for seconds. It reloads with and without script until
 * the review step can be shown.
 */
export function PendingScreen({ orderId }: { orderId: string }) {
  const { t } = useTranslation()
  const scripted = useHydrated()
  return (
    <section className="card narrow refused">
      <h1>{t("pending.heading")}</h1>
      <p className="lead" role="status">
        {t("pending.lead")}
      </p>
      <p>{t("pending.once")}</p>
      <p className="reference">
        <small>{t("pending.reference")}</small> <code>{orderId}</code>
      </p>
      {scripted && (
        <Suspense>
          <PagePoller everyMs={LOOK_EVERY_MS} />
        </Suspense>
      )}
    </section>
  )
}
