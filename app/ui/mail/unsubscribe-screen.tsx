import { Form, Link } from "react-router"
import { localPath } from "~/domain/locales"
import { useLocale } from "~/i18n/use-locale"
import { useTranslation } from "~/i18n/use-translation"

/** Asks whether to end reminders, or says that they have ended. */
export function UnsubscribeScreen({ isDone }: { isDone: boolean }) {
  const { t } = useTranslation()
  return (
    <section className="card narrow refused">
      <h1>{t(isDone ? "unsubscribe.done" : "unsubscribe.heading")}</h1>
      <p className="lead">{t("unsubscribe.lead")}</p>
      {!isDone && (
        <Form method="post">
          <button className="main">{t("unsubscribe.confirm")}</button>
        </Form>
      )}
      <Link className="quiet" to={localPath(useLocale(), "/")}>
        {t("frame.plans")}
      </Link>
    </section>
  )
}
