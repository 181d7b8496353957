import { Form } from "react-router"
import type { Transfer } from "~/domain/coin"
import type { Money } from "~/domain/money"
import { useLocale } from "~/i18n/use-locale"
import { useTranslation } from "~/i18n/use-translation"
import { coinText } from "../form/coin-name"
import { dateTimeText, moneyText } from "../layout/format"
import { ClockIcon } from "../layout/icons"
import { Credential } from "../success/credential"
import { OrderActions, type PayLink } from "./hosted-payment"
import { type PaymentError, PaymentErrorMessage } from "./payment-error"

type Due = {
  left: Money
  pay: PayLink & { transfer: Transfer }
  hasOtherMethods: boolean
  timeZone: string
}

/** On-site payment: address, amount, expiry of the quote, and the amount seen. */
export function OnSitePayment({ left, pay, hasOtherMethods, timeZone }: Due) {
  const { t } = useTranslation()
  const locale = useLocale()
  const { coin, amount, address, expiresAt } = pay.transfer
  const name = coinText(coin)
  return (
    <section className="card pay-card" aria-labelledby="pay">
      <h2 id="pay">{t("waiting.here.heading", { coin: name })}</h2>
      <p className="total">
        <span>{t("waiting.left")}</span> <b>{moneyText(left, locale)}</b>
      </p>
      <Seen transfer={pay.transfer} />
      <div className="credentials">
        <Credential label={t("waiting.here.amount", { coin: coin.currency })} value={amount} />
        <Credential label={t("waiting.here.address")} value={address} />
      </div>
      <div className="qr">
        {/* biome-ignore lint/security/noDangerouslySetInnerHtml: drawn by the QR library from the payment's address */}
        <span aria-hidden="true" dangerouslySetInnerHTML={{ __html: pay.qr }} />
        <p className="note">
          {t("waiting.here.scan")} {pay.isTest && <strong>{t("frame.testMode")}</strong>}
        </p>
      </div>
      <p className="warning">{t("waiting.here.only", { coin: name })}</p>
      <p className="assurance">
        <ClockIcon />
        <span suppressHydrationWarning>
          {t("waiting.here.until", { moment: dateTimeText(expiresAt, locale, timeZone) })}
        </span>
      </p>
      <noscript>
        <a className="quiet" href="?">
          {t("waiting.check")}
        </a>
      </noscript>
      <a className="quiet" href={pay.url} rel="noreferrer">
        {t("waiting.here.hosted", { host: pay.host })}
      </a>
      <OrderActions hasOtherMethods={hasOtherMethods} pay={pay} />
    </section>
  )
}

function Seen({ transfer: { seen, coin, confirmations } }: { transfer: Transfer }) {
  const { t } = useTranslation()
  if (/^[0.]*$/.test(seen)) return null
  return (
    <p className="told" role="status">
      {t("waiting.here.seen", { amount: `${seen} ${coin.currency}` })}
      {confirmations !== null && ` ${t("waiting.here.confirmations", { count: confirmations })}`}
    </p>
  )
}

type Over = Omit<Due, "pay" | "timeZone"> & {
  pay: PayLink
  partly: boolean
  error: PaymentError | null
}

/** Expired quote, or unavailable provider: offers a new quote, or the provider's page. */
export function QuoteExpired({ left, pay, partly, hasOtherMethods, error }: Over) {
  const { t } = useTranslation()
  return (
    <section className="card pay-card" aria-labelledby="pay">
      <h2 id="pay">{t(partly ? "waiting.payRest" : "waiting.payHeading")}</h2>
      <p className="total">
        <span>{t("waiting.left")}</span> <b>{moneyText(left, useLocale())}</b>
      </p>
      <PaymentErrorMessage error={error} host={pay.host} />
      <p className="note">{t("waiting.here.over")}</p>
      <Form method="post" reloadDocument>
        <button className="main" name="intent" value="quote">
          {t("waiting.here.again")}
        </button>
      </Form>
      <a className="quiet" href={pay.url} rel="noreferrer">
        {t("waiting.here.hosted", { host: pay.host })}
      </a>
      <OrderActions hasOtherMethods={hasOtherMethods} pay={pay} />
    </section>
  )
}
