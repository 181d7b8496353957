import { BASE } from "~/domain/base-path"
import type { Order } from "~/domain/order"
import type { Service } from "~/domain/service"
import { useTranslation } from "~/locales/use-translation"
import { Credential } from "./credential"
import { moneyText } from "./format"
import { CheckIcon } from "./icons"
import { planName } from "./plan-name"
import { useLocale } from "./use-locale"

type Success = {
  order: Order
  service: Service
  ready: boolean
  /** Setting up has failed so far and is tried again. */
  delayed: boolean
  playlistPath: string
}

/** Made for copying into a television. Until the line works, it says what is going on. */
export function SuccessScreen({ order, service, ready, delayed, playlistPath }: Success) {
  const { t } = useTranslation()
  const locale = useLocale()
  const paid = moneyText(order.total, locale)
  return (
    <div className="narrow">
      <header className={ready ? "done" : "done pending"}>
        <CheckIcon />
        <div>
          <h1>{t(ready ? "success.heading" : "success.preparing")}</h1>
          <p className="lead">
            {t("success.paid", { paid, order: order.id })} · {planName(service.name, locale)} ·{" "}
            {t("success.connections", { count: service.connections })}
          </p>
        </div>
      </header>
      {ready ? (
        <section className="card">
          <h2>{t("success.access")}</h2>
          <div className="credentials">
            <Credential label={t("success.username")} value={service.username} />
            <Credential label={t("success.password")} value={service.password} secret />
            <Credential label={t("success.server")} value={service.host ?? ""} />
          </div>
          <a className="main button" href={`${BASE}${playlistPath}`} download="playlist.m3u8">
            {t("success.playlist")}
          </a>
          <p className="note">{t("success.playlistNote")}</p>
        </section>
      ) : (
        <section className="card" aria-live="polite">
          <p>{t(delayed ? "success.delayed" : "success.soon")}</p>
        </section>
      )}
    </div>
  )
}
