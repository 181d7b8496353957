import { Link } from "react-router"
import { localPath } from "~/domain/locales"
import { pathOf } from "~/domain/orders/screen-paths"
import type { NamedResellerCredits } from "~/domain/services/reseller-credits"
import { useLocale } from "~/i18n/use-locale"
import { useTranslation } from "~/i18n/use-translation"
import { dayTimeText, signedText } from "../layout/format"

/** Where all entries are, and what was paid for them, with its texts in the reader's language. */
export type StatementView = {
  readonly history: string
  readonly download: string
  readonly href: string
  /** The payments of the account, with their receipts and invoices. */
  readonly payments: { readonly text: string; readonly path: string }
}

type Card = { resellerCredits: NamedResellerCredits; statement: StatementView; timeZone: string }

/** A reseller's balance, the latest ledger entries, and all of them as a file. */
export function ResellerCreditsCard({
  resellerCredits: { balance, movements },
  statement: { history, download, href, payments },
  timeZone,
}: Card) {
  const { t } = useTranslation()
  const locale = useLocale()
  return (
    <section className="card credit" aria-labelledby="credits">
      <h2 id="credits">{t("resellers.balance.heading")}</h2>
      <p className="total">
        <b>{t("resellers.credits", { count: balance })}</b>
      </p>
      <p className="credit-links">
        <Link className="button" to={localPath(locale, pathOf.reseller.checkout)}>
          {t("resellers.balance.more")}
        </Link>
        <a className="quiet" href={href} download>
          {download}
        </a>
        <Link className="quiet" to={payments.path}>
          {payments.text}
        </Link>
      </p>
      {movements.length > 0 && (
        <details className="fold">
          <summary>{history}</summary>
          <ul className="lines movements">
            {movements.map(({ cause, amount, reference, names, at }) => (
              <li key={`${cause} ${reference} ${at}`}>
                <span>
                  {t(`resellers.balance.${cause}`)}
                  {names && `: ${names}`}
                  <small>
                    <time dateTime={new Date(at).toISOString()} suppressHydrationWarning>
                      {dayTimeText(at, locale, timeZone)}
                    </time>
                    {reference && ` · ${t("waiting.order", { order: reference })}`}
                  </small>
                </span>{" "}
                <span>{signedText(amount, locale)}</span>
              </li>
            ))}
          </ul>
        </details>
      )}
    </section>
  )
}
