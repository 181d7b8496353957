import { Link } from "react-router"
import type { Coin, Transfer } from "~/domain/payments/coin"
import { useTranslation } from "~/i18n/use-translation"

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
  /** It has ended because its time has run out: the buyer may have paid all the same. */
  readonly expired: boolean
  /** An unconfirmed payment has been seen. */
  readonly isProcessing: boolean
  /** Coin of an on-site payment; null for the provider's page. */
  readonly coin: Coin | null
  /** Address and amount of the on-site payment; null if the quote has expired. */
  readonly transfer: Transfer | null
}

/** Texts of the controls that pay, in the page's language. */
export type PayTexts = {
  /** The link to the payment, with the amount. */
  readonly pay: string
  readonly alreadyPaid: string
  readonly check: string
  /** The link that opens a wallet on this device; null for a coin whose address is no link. */
  readonly wallet: string | null
  /** What stands above the address or the Lightning invoice; empty, like the next, without an on-site payment. */
  readonly sendTo: string
  /** What alone may be sent. */
  readonly sendOnly: string
}

type Due = {
  pay: PayLink
  texts: PayTexts
}

/** The payment link, and its QR code for another device. */
export function HostedPayment({ pay, texts }: Due) {
  const { t } = useTranslation()
  return (
    <>
      <a className="main button" href={pay.url} rel="noreferrer">
        {texts.pay}
      </a>
      <AlreadyPaid text={texts.alreadyPaid} />
      <div className="qr other-device">
        {/* biome-ignore lint/security/noDangerouslySetInnerHtml: drawn by the QR library from our own link */}
        <span aria-hidden="true" dangerouslySetInnerHTML={{ __html: pay.qr }} />
        <p className="note">
          {t("waiting.qr")} {pay.isTest && <strong>{t("frame.testMode")}</strong>}
        </p>
      </div>
    </>
  )
}

/** Looks at the payment now: the page without its query, whose loader asks the gateway. */
export function CheckNow({ text }: { text: string }) {
  return (
    <Link className="large button" to="?">
      {text}
    </Link>
  )
}

/** Link to the page for those who have paid. */
export function AlreadyPaid({ text }: { text: string }) {
  return (
    <Link className="large button" to="?paid">
      {text}
    </Link>
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
    <section className="card ways">
      <ul>
        {hasOtherMethods && (
          <li>
            <Link to="?gateway">{t("waiting.gateway.link")}</Link>
          </li>
        )}
        {!isProcessing && (
          <>
            <li>
              <Link to="?edit">{t("waiting.edit.heading")}</Link>
            </li>
            <li>
              <Link className="plain-ink" to="?abort">
                {t("waiting.abort.link")}
              </Link>
            </li>
          </>
        )}
      </ul>
      {isProcessing && <p className="note">{t("waiting.locked")}</p>}
    </section>
  )
}
