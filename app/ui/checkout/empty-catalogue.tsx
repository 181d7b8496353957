import { BASE } from "~/domain/base-path"
import { localPath } from "~/domain/locales"
import { useLocale } from "~/i18n/use-locale"
import { useTranslation } from "~/i18n/use-translation"

/** The catalogue is empty or unavailable. */
export function EmptyCatalogue() {
  const { t } = useTranslation()
  return (
    <section className="card narrow">
      <h1>{t("nothing.heading")}</h1>
      <p className="lead">{t("nothing.lead")}</p>
      <a className="main button" href={`${BASE}${localPath(useLocale(), "/")}`}>
        {t("error.retry")}
      </a>
    </section>
  )
}
