import { Link } from "react-router"
import { localPath } from "~/domain/locales"
import { useLocale } from "~/i18n/use-locale"
import { useTranslation } from "~/i18n/use-translation"
import { ReloadLink, type ReloadLinkView } from "../layout/reload-link"

/** `support`: the operator's support page or mail address; null if not configured. */
type Fraud = {
  reference: string | null
  refused: boolean
  /** How the buyer hears of the decision. */
  note: string | null
  support: string | null
  /** Without script; null: the page does not reload. */
  refreshSeconds: number | null
  reloads: ReloadLinkView | null
}

/** An order on hold, or refused. Worded neutrally, since most flagged buyers are honest. */
export function FraudScreen({ reference, refused, note, support, refreshSeconds, reloads }: Fraud) {
  const { t } = useTranslation()
  const home = localPath(useLocale(), "/")
  return (
    <section className="card narrow refused">
      {refused ? <Refused canRequestReview={support !== null} /> : <Held refreshSeconds={refreshSeconds} />}
      {note && <p>{note}</p>}
      {reference && (
        <p className="reference">
          <small>{t("resume.order")}</small> <code>{reference}</code>
        </p>
      )}
      <ReloadLink reloads={reloads} />
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

function Held({ refreshSeconds }: { refreshSeconds: number | null }) {
  const { t } = useTranslation()
  return (
    <>
      {refreshSeconds !== null && (
        <noscript>
          <meta httpEquiv="refresh" content={String(refreshSeconds)} />
        </noscript>
      )}
      <h1>{t("fraud.heading")}</h1>
      <p className="lead">{t("fraud.lead")}</p>
      <p>
        {t("fraud.check")} {refreshSeconds !== null && t("waiting.watching")}
      </p>
    </>
  )
}

/** `canRequestReview`: a support contact is configured; without it no reply is promised. */
function Refused({ canRequestReview }: { canRequestReview: boolean }) {
  const { t } = useTranslation()
  return (
    <>
      <h1>{t("fraud.refused.heading")}</h1>
      <p className="lead">{t("fraud.refused.lead")}</p>
      {canRequestReview && <p>{t("fraud.refused.contact")}</p>}
    </>
  )
}
