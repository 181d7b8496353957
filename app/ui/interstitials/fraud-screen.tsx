import { Link } from "react-router"
import { localPath } from "~/domain/locales"
import { useLocale } from "~/i18n/use-locale"
import { useTranslation } from "~/i18n/use-translation"

/** `support`: where the operator is reached, a page or a mail address; null where he names nothing. */
type Fraud = { reference: string | null; refused: boolean; support: string | null }

/** How often the page is loaded again without script, to see whether the order has been released. */
const REFRESH_SECONDS = 20

/** An order that is held, or was refused. It accuses nobody: most who read this have done nothing wrong. */
export function FraudScreen({ reference, refused, support }: Fraud) {
  const { t } = useTranslation()
  const home = localPath(useLocale(), "/")
  return (
    <section className="card narrow refused">
      {refused ? <Refused canAsk={support !== null} /> : <Held canAsk={support !== null} />}
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

/** `canAsk`: the operator names where he is reached; without, nobody promises to answer. */
function Held({ canAsk }: { canAsk: boolean }) {
  const { t } = useTranslation()
  return (
    <>
      <noscript>
        <meta httpEquiv="refresh" content={String(REFRESH_SECONDS)} />
      </noscript>
      <h1>{t("fraud.heading")}</h1>
      <p className="lead">{t("fraud.lead")}</p>
      <p>{t("fraud.check")}</p>
      {canAsk && <p>{t("fraud.contact")}</p>}
    </>
  )
}

function Refused({ canAsk }: { canAsk: boolean }) {
  const { t } = useTranslation()
  return (
    <>
      <h1>{t("fraud.refused.heading")}</h1>
      <p className="lead">{t("fraud.refused.lead")}</p>
      {canAsk && <p>{t("fraud.refused.contact")}</p>}
    </>
  )
}
