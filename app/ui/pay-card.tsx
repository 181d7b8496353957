import type { Money } from "~/domain/money"
import { useTranslation } from "~/locales/use-translation"
import { ChangeOrder } from "./change-order"
import { moneyText } from "./format"
import { ClockIcon } from "./icons"
import { useLocale } from "./use-locale"

/** Where to pay, and the link as a QR code (an SVG document of our own making). */
export type PayLink = { readonly url: string; readonly host: string; readonly qr: string }

type Due = { left: Money; pay: PayLink; partly: boolean }

/** What is still to be paid and where: on this device, or by its camera on another. */
export function PayCard({ left, pay, partly }: Due) {
  const { t } = useTranslation()
  return (
    <section className="card pay-card" aria-labelledby="pay">
      <h2 id="pay">{t(partly ? "waiting.payRest" : "waiting.payHeading")}</h2>
      <p className="total">
        <span>{t("waiting.left")}</span> <b>{moneyText(left, useLocale())}</b>
      </p>
      <a className="main button" href={pay.url} rel="noreferrer">
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
      {!partly && <ChangeOrder />}
    </section>
  )
}
