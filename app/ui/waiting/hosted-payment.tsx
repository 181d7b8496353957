import { Link } from "react-router"
import type { Coin, Transfer } from "~/domain/coin"
import type { Money } from "~/domain/money"
import { useLocale } from "~/i18n/use-locale"
import { useTranslation } from "~/i18n/use-translation"
import { moneyText } from "../layout/format"
import { ClockIcon } from "../layout/icons"

/** Where to pay, and the link as a QR code (an SVG document of our own making). */
export type PayLink = {
  /** Empty, as the code, once the payment has ended. */
  readonly url: string
  readonly host: string
  readonly qr: string
  /** What is due cannot be paid there any more: another payment has to be opened. */
  readonly ended: boolean
  /** Money is on its way there that is not confirmed yet. */
  readonly underWay: boolean
  /** What the buyer has chosen to pay in on this page; null where he pays at the provider's. */
  readonly coin: Coin | null
  /** How that is done; null when the quote has run out. */
  readonly transfer: Transfer | null
}

type Due = {
  left: Money
  pay: PayLink
  /** A payment is on its way; the button is there still, and asks for nothing. */
  seen: boolean
  /** Some of it has come already. */
  partly: boolean
  /** There is another gateway to change to. */
  otherWays: boolean
}

/** What is still to be paid and where: on this device, or by its camera on another. */
export function HostedPayment({ left, pay, seen, partly, otherWays }: Due) {
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
      <div className="qr">
        {/* biome-ignore lint/security/noDangerouslySetInnerHtml: drawn by the QR library from our own link */}
        <span aria-hidden="true" dangerouslySetInnerHTML={{ __html: pay.qr }} />
        <p className="note">{t("waiting.qr")}</p>
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
      <OrderActions {...{ otherWays, pay }} />
    </section>
  )
}

type Changes = { otherWays: boolean; pay: Pick<PayLink, "underWay"> }

/**
 * Each leads to a page that says what happens; nothing is done by following a link. Nobody gives an order up while
 * money is on its way for it.
 */
export function OrderActions({ otherWays, pay: { underWay } }: Changes) {
  const { t } = useTranslation()
  return (
    <div className="change-of-mind">
      {otherWays && (
        <Link className="button" to="?gateway">
          {t("waiting.gateway.link")}
        </Link>
      )}
      {underWay ? (
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
