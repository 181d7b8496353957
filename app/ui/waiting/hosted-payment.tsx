import { Link } from "react-router"
import type { Coin, Transfer } from "~/domain/coin"
import type { Money } from "~/domain/money"
import { useLocale } from "~/i18n/use-locale"
import { useTranslation } from "~/i18n/use-translation"
import { moneyText } from "../layout/format"
import { ClockIcon } from "../layout/icons"

/** Payment link and its QR code (an SVG document). */
export type PayLink = {
  /** Empty, like the QR code, once the payment has ended. */
  readonly url: string
  readonly host: string
  readonly qr: string
  /** The shop is in test mode: the QR code leads to the sandbox. */
  readonly isTest: boolean
  /** The payment accepts no more money: another one has to be created. */
  readonly ended: boolean
  /** An unconfirmed payment has been seen. */
  readonly isProcessing: boolean
  /** Coin of an on-site payment; null for the provider's page. */
  readonly coin: Coin | null
  /** Address and amount of the on-site payment; null if the quote has expired. */
  readonly transfer: Transfer | null
}

type Due = {
  left: Money
  pay: PayLink
  /** An unconfirmed payment has been seen; the button stays, but is secondary. */
  seen: boolean
  /** Partially paid. */
  partly: boolean
  /** Another gateway is available. */
  hasOtherMethods: boolean
}

/** Amount due with the payment link, and its QR code for another device. */
export function HostedPayment({ left, pay, seen, partly, hasOtherMethods }: Due) {
  const { t } = useTranslation()
  return (
    <section className="card pay-card" aria-labelledby="pay">
      <h2 id="pay">{t(partly ? "waiting.payRest" : "waiting.payHeading")}</h2>
      <p className="total">
        <span>{t("waiting.left")}</span> <b>{moneyText(left, useLocale())}</b>
      </p>
      <a className={seen ? "large button" : "main button"} href={pay.url} rel="noreferrer">
        {t("waiting.payAt", { host: pay.host })}
      </a>
      <div className="qr other-device">
        {/* biome-ignore lint/security/noDangerouslySetInnerHtml: drawn by the QR library from our own link */}
        <span aria-hidden="true" dangerouslySetInnerHTML={{ __html: pay.qr }} />
        <p className="note">
          {t("waiting.qr")} {pay.isTest && <strong>{t("frame.testMode")}</strong>}
        </p>
      </div>
      <p className="assurance">
        <ClockIcon />
        {t("waiting.watching")}
      </p>
      <noscript>
        <a className="quiet" href="?">
          {t("waiting.check")}
        </a>
      </noscript>
      <OrderActions hasOtherMethods={hasOtherMethods} pay={pay} />
    </section>
  )
}

type Changes = { hasOtherMethods: boolean; pay: Pick<PayLink, "isProcessing"> }

/**
 * Links to change the gateway, edit or cancel the order; each leads to a confirmation. Not offered for cancelling while a
 * payment is unconfirmed.
 */
export function OrderActions({ hasOtherMethods, pay: { isProcessing } }: Changes) {
  const { t } = useTranslation()
  return (
    <div className="change-of-mind">
      {hasOtherMethods && (
        <Link className="button" to="?gateway">
          {t("waiting.gateway.link")}
        </Link>
      )}
      {isProcessing ? (
        <p className="note">{t("waiting.locked")}</p>
      ) : (
        <>
          <Link className="button" to="?edit">
            {t("waiting.edit.heading")}
          </Link>
          <Link className="quiet" to="?abort">
            {t("waiting.abort.link")}
          </Link>
        </>
      )}
    </div>
  )
}
