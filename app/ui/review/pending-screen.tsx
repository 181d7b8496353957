import { useEffect } from "react"
import { useRevalidator } from "react-router"
import { useTranslation } from "~/i18n/use-translation"

const LOOK_EVERY_MS = 2_000

/**
 * Shown while external billing has not confirmed the order, usually for seconds. It reloads with and without script until
 * the review step can be shown.
 */
export function PendingScreen({ orderId }: { orderId: string }) {
  const { t } = useTranslation()
  usePolling()
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
    </section>
  )
}

function usePolling(): void {
  const { revalidate } = useRevalidator()
  useEffect(() => {
    const timer = setInterval(() => {
      if (document.visibilityState === "visible") void revalidate()
    }, LOOK_EVERY_MS)
    return () => clearInterval(timer)
  }, [revalidate])
}
