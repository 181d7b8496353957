import type { Instant } from "~/domain/calendar"
import { localText } from "~/domain/local-time"
import type { GatewayId } from "~/domain/payments/gateway-id"
import { consoleText as t } from "~/i18n/console-texts.server"
import { consoleHref } from "../console-frame.server"
import { gatewayName } from "../gateway-name.server"
import { ListTable } from "../list-parts.server"

type Health = { readonly downSince: Instant | null; readonly lastSuccessAt: Instant | null }

type GatewaysProps = {
  gateways: readonly (Health & {
    readonly id: GatewayId
    readonly isOffered: boolean
    readonly waitingOrders: number
  })[]
  timeZone: string
}

/** In words, whether a gateway answers: what was not asked since the start is not known to. */
export function healthText({ downSince, lastSuccessAt }: Health, timeZone: string): string {
  if (downSince !== null) return t("gateways.down", { since: localText(downSince, timeZone) })
  return t(lastSuccessAt === null ? "gateways.notAsked" : "gateways.answers")
}

/** The gateways, those that do not answer first. */
export function GatewaysScreen({ gateways, timeZone }: GatewaysProps) {
  return (
    <>
      <div className="title">
        <h1>{t("gateways.title")}</h1>
        <p>{t("gateways.lead")}</p>
      </div>
      <section className="card">
        <ListTable
          label={t("gateways.title")}
          heads={[
            { text: "gateways.gateway" },
            { text: "gateways.use" },
            { text: "gateways.state" },
            { text: "gateways.lastSuccess" },
            { text: "gateways.waiting", isNumber: true },
            { text: "gateways.callbacks" },
          ]}
        >
          {gateways.map(({ id, isOffered, waitingOrders, ...health }) => (
            <tr key={id}>
              <td>
                <a href={consoleHref(`/admin/gateways/${id}`)}>{gatewayName(id)}</a>
              </td>
              <td>{t(isOffered ? "gateways.offered" : "gateways.drained")}</td>
              <td>{healthText(health, timeZone)}</td>
              <td data-label={t("gateways.lastSuccess")}>
                {health.lastSuccessAt === null
                  ? t("gateways.never")
                  : localText(health.lastSuccessAt, timeZone)}
              </td>
              <td className="number" data-label={t("gateways.waiting")}>
                <a href={consoleHref(`/admin/orders?status=awaiting-payment&gateway=${id}`)}>
                  {waitingOrders}
                </a>
              </td>
              <td>
                <a href={consoleHref(`/admin/rejected-callbacks?gateway=${id}`)}>{t("gateways.rejected")}</a>
              </td>
            </tr>
          ))}
        </ListTable>
      </section>
    </>
  )
}
