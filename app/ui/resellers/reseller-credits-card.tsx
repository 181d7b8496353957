import { Link } from "react-router"
import { localPath } from "~/domain/locales"
import type { ResellerCredits } from "~/domain/reseller-credits"
import { pathOf } from "~/domain/screen-paths"
import { useLocale } from "~/i18n/use-locale"
import { useTranslation } from "~/i18n/use-translation"
import { dayTimeText, signedText } from "../layout/format"

/** A reseller's balance and latest ledger entries. */
export function ResellerCreditsCard({
  resellerCredits: { balance, movements },
  timeZone,
}: {
  resellerCredits: ResellerCredits
  timeZone: string
}) {
  const { t } = useTranslation()
  const locale = useLocale()
  return (
    <section className="card credit" aria-labelledby="credits">
      <h2 id="credits">{t("resellers.balance.heading")}</h2>
      <p className="total">
        <span>{t("resellers.balance.now")}</span> <b>{t("resellers.credits", { count: balance })}</b>
      </p>
      <ul className="lines movements">
        {movements.map(({ cause, amount, reference, at }) => (
          <li key={`${cause} ${reference} ${at}`}>
            <span>
              {t(`resellers.balance.${cause}`)}
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
      <Link className="quiet" to={localPath(locale, pathOf.reseller.checkout)}>
        {t("resellers.balance.more")}
      </Link>
    </section>
  )
}
