import { Link } from "react-router"
import { localPath } from "~/domain/locales"
import { useLocale } from "~/i18n/use-locale"
import { useTranslation } from "~/i18n/use-translation"

/** `support`: where the operator is reached, a page or a mail address; null where he names nothing. */
type Fraud = { reference: string | null; support: string | null }

/** An order that was not taken. It accuses nobody: most who read this have done nothing wrong. */
export function FraudScreen({ reference, support }: Fraud) {
  const { t } = useTranslation()
  const home = localPath(useLocale(), "/")
  return (
    <section className="card narrow refused">
      <h1>{t("fraud.heading")}</h1>
      <p className="lead">{t("fraud.lead")}</p>
      <p>{t(support ? "fraud.contact" : "fraud.contactShop")}</p>
      {reference && (
        <p className="reference">
          <small>{t("fraud.reference")}</small> <code>{reference}</code>
        </p>
      )}
      {support && (
        <a className="main button" href={support} rel="noreferrer">
          {t("fraud.support")}
        </a>
      )}
      <Link className={support ? "quiet" : "main button"} to={home}>
        {t("frame.plans")}
      </Link>
    </section>
  )
}
