import { useTranslation } from "~/i18n/use-translation"

/** Shown instead of any page while offline; reloading the URL returns to the page. */
export function OfflinePage() {
  const { t } = useTranslation()
  return (
    <section className="card narrow">
      <h1>{t("offline.page.heading")}</h1>
      <p className="lead">{t("offline.page.lead")}</p>
      {/* biome-ignore lint/a11y/useValidAnchor: an empty address is the page's own, whichever that is */}
      <a className="main button" href="">
        {t("error.retry")}
      </a>
    </section>
  )
}
